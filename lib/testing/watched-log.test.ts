import { expect, test } from "vitest";
import { watchedLog } from "./watched-log";

test.each([
  ["an address", { reason: "cannot deliver to pat@sign.invalid" }],
  ["a secret", { error: "whsec_b3Blbi1jYXNl" }],
  ["a signing link", { reason: "https://sign.invalid/s/tok_9f3c2a" }],
  ["a phone number", { reason: "ring +49 151 5550 7731" }],
])("PV-4: a line with %s fails the tests that logged it", (_what, more) => {
  const { log, refuseLeaks } = watchedLog();
  log.warn({ event: "leaking", ...more });
  expect(refuseLeaks).toThrow("leaking");
});

test("PV-4: a line of references, codes and figures passes", () => {
  const { log, refuseLeaks } = watchedLog();
  log.info({ event: "sealed", tenant: "52f95be1-b205-457f-af7b-c3de227e5665", count: 20_000 });
  log.error({ event: "pass_failed", error: "TypeError(E_X) execute.ts:12:3", route: "/api/v1/me" });
  expect(refuseLeaks).not.toThrow();
});
