import { expect, test } from "vitest";
import { startProcess, waitUntil } from "./processes";

test("a process counts as started when it says so, and its lines are kept", async () => {
  const script = `console.log("one"); console.log("listening on 7"); setInterval(() => 0, 1000);`;
  const child = await startProcess({
    command: process.execPath,
    args: ["-e", script],
    ready: /listening on \d/,
  });
  expect(child.lastLines()).toEqual(["one", "listening on 7"]);
  await child.stop();
});

test("a process that ends before it is ready fails with its last words", async () => {
  const args = ["-e", `console.error("no database"); process.exit(3)`];
  const started = startProcess({ command: process.execPath, args, ready: /never/ });
  await expect(started).rejects.toThrow(/ended while it started[\s\S]*no database/);
});

test("waiting returns what was waited for", async () => {
  let calls = 0;
  const answer = () => {
    calls += 1;
    return calls === 3 ? calls : null;
  };
  expect(await waitUntil(answer, { what: "the third call" })).toBe(3);
});

test("waiting in vain says for what and keeps the last error", async () => {
  const failing = () => Promise.reject(new Error("connection refused"));
  const waiting = waitUntil(failing, { timeoutMs: 100, what: "the port answers" });
  await expect(waiting).rejects.toMatchObject({
    message: "Waited 100 ms in vain until the port answers.",
    cause: { message: "connection refused" },
  });
});
