import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestSandbox, testSandbox } from "@/lib/testing/sandbox";
import { timestamp, timestampAuthority } from "./timestamp";

let sandbox: TestSandbox;
let root: string;

beforeAll(async () => {
  sandbox = await testSandbox();
  root = await (await fetch(`${sandbox.url}/tsa/root.pem`)).text();
});
afterAll(() => sandbox.close());

const authorityWith = (
  fault: string,
  pem = root,
  policy: string | null = null,
  timeoutMs = 5_000,
) => timestampAuthority(`${sandbox.url}/tsa${fault && `?fault=${fault}`}`, pem, policy, timeoutMs);

describe("SM-4: a time stamp of an authority", () => {
  test("is kept when every check passes, with the authority's time", async () => {
    const before = Date.now() - 1_000;
    const stamped = await timestamp(authorityWith(""), "a seal");
    expect(stamped).toMatchObject({ kind: "stamped", token: expect.any(Buffer) });
    if (stamped.kind === "stamped") expect(stamped.at.getTime()).toBeGreaterThanOrEqual(before);
  });

  test.each([
    ["rejected", "rejected"],
    ["wrong_nonce", "other_nonce"],
    ["wrong_time", "wrong_time"],
    ["other_authority", "bad_certificate"],
  ])("SB-2: is refused when it is %s", async (fault, problem) => {
    expect(await timestamp(authorityWith(fault), "a seal")).toEqual({ kind: "refused", problem });
  });

  test("SB-2: is not waited for beyond its bound", async () => {
    const stamped = await timestamp(authorityWith("late", root, null, 200), "a seal");
    expect(stamped).toEqual({ kind: "refused", problem: "unreachable" });
  });

  test("is refused under another policy than the one that was asked for", async () => {
    const stamped = await timestamp(authorityWith("", root, "1.3.6.1.4.1.99999.2"), "a seal");
    expect(stamped).toEqual({ kind: "refused", problem: "rejected" });
  });

  test("is refused when what answers is no authority", async () => {
    const at = (path: string) => timestampAuthority(`${sandbox.url}${path}`, root);
    expect(await timestamp(at("/health"), "a seal")).toMatchObject({ problem: "unreadable" });
    expect(await timestamp(at("/nowhere"), "a seal")).toMatchObject({ problem: "http_status" });
  });
});
