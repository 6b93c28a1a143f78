import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { leash } from "./leash";
import { freePort } from "./ports";
import type { PostgresAccount, PostgresBinaries } from "./postgres-binaries";
import { stopStalePostgres } from "./stale-postgres";

export interface PostgresOptions {
  binaries: PostgresBinaries;
  dataFolder: string;
  port: number;
  /** Takes another port when somebody else got this one first. */
  anyPort?: boolean;
  password: string;
  /** Settings as in postgresql.conf, over the ones set here. */
  settings?: Record<string, string>;
  /** A folder that goes away with the server, also when this process is killed. */
  disposable?: string;
}

export interface RunningPostgres {
  port: number;
  pid: number;
  /** Connection address of one database, as the superuser of the cluster. */
  url(database: string): string;
  /** Resolves when the server has ended, with its last lines. */
  exited: Promise<string>;
  /** Ends open connections and waits until the server is gone. */
  stop(): Promise<void>;
}

const READY = "database system is ready to accept connections";
/** A server whose postmaster was killed keeps its shared memory until its last backend notices. */
const STILL_IN_USE = /pre-existing shared memory block|lock file "postmaster.pid" already exists/;
const PORT_TAKEN = /could not bind/;
const START_TRIES = 10;

/**
 * Starts PostgreSQL on a data folder, which is created on first use, and resolves when it takes connections.
 * A server left over from a killed run is stopped first. Throws with the server's last lines.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  await stopStalePostgres(options.dataFolder);
  if (options.disposable) giveTo(options.binaries.account, options.disposable);
  if (!existsSync(path.join(options.dataFolder, "PG_VERSION"))) await initialise(options);
  let port = options.port;
  for (let attempt = 1; ; attempt += 1) {
    const started = await startOnce({ ...options, port });
    if (typeof started !== "string") return started;
    const portIsGone = options.anyPort === true && PORT_TAKEN.test(started);
    if (portIsGone) port = await freePort();
    if (attempt === START_TRIES || !(portIsGone || STILL_IN_USE.test(started))) {
      throw new Error(`PostgreSQL did not start on ${options.dataFolder}:\n${started}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** The built-in locale sorts and folds Unicode the same on every machine, whatever is installed there. */
const INITDB_FLAGS = [
  "--auth=scram-sha-256",
  "--username=postgres",
  "--encoding=UTF8",
  "--locale=C",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
  "--no-sync",
];

/** Creates the cluster beside its place, so that an interrupted run leaves nothing that looks whole. */
async function initialise({ binaries, dataFolder, password }: PostgresOptions): Promise<void> {
  const half = `${dataFolder}.new`;
  const passwordFile = `${dataFolder}.password`;
  rmSync(half, { recursive: true, force: true });
  rmSync(dataFolder, { recursive: true, force: true });
  mkdirSync(half, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  for (const each of [half, passwordFile]) giveTo(binaries.account, each);
  const where = [`--pgdata=${half}`, `--pwfile=${passwordFile}`];
  const child = run(binaries, "initdb", [...INITDB_FLAGS, ...where]);
  const { code, output } = await ended(child);
  rmSync(passwordFile, { force: true });
  if (code !== 0) throw new Error(`PostgreSQL could not create ${dataFolder}:\n${output()}`);
  renameSync(half, dataFolder);
}

function giveTo(account: PostgresAccount, target: string): void {
  if (account) chownSync(target, account.uid, account.gid);
  else chmodSync(target, target.endsWith(".password") ? 0o600 : 0o700);
}

/** The running server, or its output when it ended before it was ready. */
async function startOnce(options: PostgresOptions): Promise<RunningPostgres | string> {
  const { binaries, dataFolder, port } = options;
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "300",
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = run(binaries, "postgres", ["-D", dataFolder, "-p", String(port), ...flags]);
  const end = ended(child);
  if (!(await readyOrEnded(child, end))) return (await end).output();
  const pid = child.pid ?? 0;
  const unleash = leash(pid, "INT", options.disposable ?? null);
  const exited = end.then(({ output }) => output());
  if (!options.disposable) void exited.then(unleash);
  const password = encodeURIComponent(options.password);
  return {
    port,
    pid,
    url: (database) => `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`,
    exited,
    stop: async () => {
      child.kill("SIGINT");
      await exited;
      if (options.disposable) rmSync(options.disposable, { recursive: true, force: true });
      unleash();
    },
  };
}

/** A process group of its own: Ctrl-C reaches the launcher alone, which stops the database last. */
function run(binaries: PostgresBinaries, name: string, flags: string[]): ChildProcess {
  const { uid, gid } = binaries.account ?? {};
  return spawn(path.join(binaries.folder, "bin", name), flags, {
    cwd: "/",
    detached: process.platform !== "win32",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, LC_ALL: "C", TZ: "UTC" },
    ...(uid === undefined ? {} : { uid, gid }),
  });
}

function ended(child: ChildProcess): Promise<{ code: number | null; output: () => string }> {
  const lines: string[] = [];
  const keep = (chunk: Buffer) => {
    lines.push(chunk.toString());
    if (lines.length > 40) lines.shift();
  };
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  return new Promise((resolve) => {
    const output = () => lines.join("").trim();
    child.once("error", (error) => {
      lines.push(error.message);
      resolve({ code: null, output });
    });
    child.once("close", (code) => resolve({ code, output }));
  });
}

function readyOrEnded(child: ChildProcess, end: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    child.stderr?.on("data", (chunk: Buffer) => {
      if (chunk.toString().includes(READY)) resolve(true);
    });
    void end.then(() => resolve(false));
  });
}
