import { spawn } from "node:child_process";
import { afterEach, expect, test } from "vitest";
import { waitUntil } from "@/lib/testing/processes";
import { type Child, startChild } from "./child";
import { isAlive } from "./process-table";
import { projectRoot } from "./root";

const children: Child[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) await child.stop(100);
});

function start(script: string): Child {
  const child = startChild({
    name: "sample",
    command: process.execPath,
    args: ["-e", script],
    cwd: projectRoot,
    env: process.env,
  });
  children.push(child);
  return child;
}

const says = (child: Child, text: string) =>
  waitUntil(() => child.lastLines().find((line) => line.startsWith(text)), {
    what: `it says ${text}`,
  });

test("a child that is asked to stop ends in its own way", async () => {
  const child = start(`
    process.on("SIGTERM", () => { console.log("bye"); process.exit(7); });
    setInterval(() => undefined, 1000); console.log("ready");`);
  await says(child, "ready");
  expect(await child.stop()).toEqual({ code: 7, signal: null });
  expect(child.lastLines()).toEqual(["ready", "bye"]);
});

test("a child that does not stop is killed, and what it started goes with it", async () => {
  const child = start(`
    process.on("SIGTERM", () => undefined);
    const inner = require("node:child_process").spawn("sleep", ["600"]);
    setInterval(() => undefined, 1000); console.log("inner " + inner.pid);`);
  const inner = Number((await says(child, "inner")).split(" ")[1]);
  expect(await child.stop(200)).toEqual({ code: null, signal: "SIGKILL" });
  await waitUntil(() => !isAlive(inner), { what: "the inner process is gone" });
});

test("a program that does not exist is an exit with a reason, not an exception", async () => {
  const env = process.env;
  const options = { name: "none", command: "/nowhere/program", args: [], cwd: projectRoot, env };
  const child = startChild(options);
  expect((await child.exited).code).toBeNull();
  expect(child.lastLines().join()).toContain("ENOENT");
});

test("a child ends when its launcher is killed with -9", async () => {
  const script = `
    import { startChild } from "./workers/launch/child.ts";
    const child = startChild({ name: "inner", command: "sleep", args: ["600"], cwd: "/", env: process.env });
    console.log(child.pid);
    setInterval(() => undefined, 1000);`;
  const flags = ["--import", "tsx", "--input-type=module", "-e", script];
  const launcher = spawn(process.execPath, flags, { cwd: projectRoot });
  let output = "";
  launcher.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const pid = await waitUntil(() => /^(\d+)\n/.exec(output)?.[1], { what: "the launcher is up" });
  expect(isAlive(Number(pid))).toBe(true);
  launcher.kill("SIGKILL");
  await waitUntil(() => !isAlive(Number(pid)), { what: "the child is gone" });
});
