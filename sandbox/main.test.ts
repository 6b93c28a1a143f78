import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { request } from "undici";
import { expect, test } from "vitest";
import { emptyDatabase } from "@/lib/testing/database";
import { projectRoot } from "@/workers/launch/root";
import { SandboxControl } from "./control-client";

function start(environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ["--import", "tsx", "sandbox/main.ts"], {
    cwd: projectRoot,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function listening(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error("The child has no output.");
  for await (const line of createInterface(child.stdout)) {
    const message = JSON.parse(line) as { event: string; url: string };
    if (message.event === "listening") return message.url;
  }
  throw new Error("The sandbox ended before it listened.");
}

test("SB-1: the process says where it listens, keeps its store over a restart and ends on SIGTERM", async () => {
  const database = await emptyDatabase();
  const environment = { SANDBOX_DATABASE_URL: database.url, SANDBOX_PORT: "0" };
  for (const round of ["first", "second"]) {
    const child = start(environment);
    const url = await listening(child);
    const control = new SandboxControl(url);
    if (round === "first") await control.putAccount("acc", { apiKey: "k", profile: "exact" });
    expect(await control.effects("acc")).toEqual([]);
    const exit = once(child, "exit");
    child.kill("SIGTERM");
    expect(await exit).toEqual([0, null]);
    await expect(request(url)).rejects.toThrow();
  }
  await database.close();
});

test("without a database the process says what it needs and ends", async () => {
  const child = start({ SANDBOX_DATABASE_URL: "" });
  const [code] = await once(child, "exit");
  expect(code).toBe(2);
});
