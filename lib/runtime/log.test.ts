import { Writable } from "node:stream";
import { expect, test } from "vitest";
import type { LogEntry } from "@/lib/flows/context";
import { createLog, describeError } from "./log";

function written(use: (log: ReturnType<typeof createLog>) => void): string {
  const parts: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      parts.push(String(chunk));
      done();
    },
  });
  use(createLog("debug", sink));
  return parts.join("");
}

test("OP-2 PV-4 C-37: only allowed fields reach the log: tenant and operation, and no reference that people choose", () => {
  const entry = {
    event: "sent",
    op: "7c1e",
    request: "contract_of_pat_canary",
    platformRef: "env_canary",
    email: "pat.canary@example.com",
    body: { a: "CANARY" },
  };
  const text = written((log) => log.info(entry as LogEntry));
  expect(JSON.parse(text)).toMatchObject({ event: "sent", op: "7c1e" });
  expect(text).not.toMatch(/canary/i);
});

test("C-37: an error is described by its class and our own code, never by its message", () => {
  const error = Object.assign(new TypeError("https://sign.example/s/tok_CANARY_9f3c2a"), {
    code: "ECONNRESET",
    config: { headers: { authorization: "Bearer CANARY_KEY_77" } },
  });
  const words = describeError(error);
  expect(words).toMatch(/^TypeError\(ECONNRESET\) log\.test\.ts:\d+:\d+/);
  expect(words).not.toMatch(/CANARY|sign\.example/);
  expect(describeError("pat.canary@example.com")).toBe("string");
});
