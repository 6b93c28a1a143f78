import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { waitUntil } from "@/lib/testing/processes";
import { type RunningPostgres, startPostgres } from "./embedded-postgres";
import { freePort } from "./ports";
import { postgresBinaries } from "./postgres-binaries";
import { isAlive } from "./process-table";
import { projectRoot } from "./root";

let folder: string;
const running: RunningPostgres[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "deadline-ledger pg-"));
});

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(port?: number): Promise<RunningPostgres> {
  const server = await startPostgres({
    binaries: postgresBinaries(projectRoot),
    dataFolder: path.join(folder, "data"),
    port: port ?? (await freePort()),
    anyPort: true,
    password: "a secret/with signs",
    settings: { fsync: "off" },
    disposable: folder,
  });
  running.push(server);
  return server;
}

async function query(server: RunningPostgres, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: server.url("postgres") });
  await client.connect();
  const { rows } = await client.query(sql).finally(() => client.end());
  return rows;
}

test("a server that outlived its launcher is stopped, and its data is served again", async () => {
  const first = await start();
  await query(first, "CREATE TABLE kept AS SELECT 1 AS one");
  const second = await start();
  expect(isAlive(first.pid)).toBe(false);
  expect(await query(second, "SELECT one FROM kept")).toEqual([{ one: 1 }]);
});

test("a server that was killed with -9 starts again on its data", async () => {
  const first = await start();
  await query(first, "CREATE TABLE kept AS SELECT 1 AS one; CHECKPOINT");
  process.kill(first.pid, "SIGKILL");
  await first.exited;
  expect(await query(await start(), "SELECT one FROM kept")).toEqual([{ one: 1 }]);
});

test("a lock file whose number now belongs to another program does not stop the start", async () => {
  const first = await start();
  const lockFile = path.join(folder, "data", "postmaster.pid");
  const lock = readFileSync(lockFile, "utf8").split("\n");
  process.kill(first.pid, "SIGKILL");
  await first.exited;
  const stranger = spawn("sleep", ["600"], { stdio: "ignore" });
  writeFileSync(lockFile, [stranger.pid, ...lock.slice(1)].join("\n"));
  expect(await query(await start(), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  expect(stranger.kill("SIGKILL")).toBe(true);
});

test("a port that somebody took meanwhile is replaced by another", async () => {
  const stranger = createServer();
  await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", () => resolve()));
  const { port } = stranger.address() as { port: number };
  const server = await start(port);
  expect(server.port).not.toBe(port);
  expect(await query(server, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  stranger.close();
});

test("text sorts and folds by Unicode whatever the machine has installed", async () => {
  const server = await start();
  expect(await query(server, "SELECT lower('ÄÉ') AS low")).toEqual([{ low: "äé" }]);
});

test("a disposable server and its folder go away when the launcher is killed with -9", async () => {
  const script = `
    import { startPostgres } from "./workers/launch/embedded-postgres.ts";
    import { freePort } from "./workers/launch/ports.ts";
    import { postgresBinaries } from "./workers/launch/postgres-binaries.ts";
    const server = await startPostgres({
      binaries: postgresBinaries(process.cwd()), dataFolder: process.env.FOLDER + "/data",
      port: await freePort(), password: "x", disposable: process.env.FOLDER,
    });
    console.log(server.pid);
    setInterval(() => undefined, 1000);`;
  const flags = ["--import", "tsx", "--input-type=module", "-e", script];
  const env = { ...process.env, FOLDER: folder };
  const launcher = spawn(process.execPath, flags, { cwd: projectRoot, env });
  let output = "";
  launcher.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const up = { timeoutMs: 40_000, what: "the server is up" };
  const pid = Number(await waitUntil(() => /^(\d+)\n/.exec(output)?.[1], up));
  launcher.kill("SIGKILL");
  await waitUntil(() => !isAlive(pid), { timeoutMs: 20_000, what: "the server is gone" });
  await waitUntil(() => !existsSync(folder), { what: "its folder is gone" });
});
