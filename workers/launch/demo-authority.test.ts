import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { timestamp } from "@/lib/providers/timestamp";
import { proofSettings } from "@/lib/runtime/proof";
import { type TestSandbox, testSandbox } from "@/lib/testing/sandbox";
import { demoAuthority } from "./demo-authority";

let sandbox: TestSandbox;
let folder: string;
beforeAll(async () => {
  sandbox = await testSandbox();
  folder = await mkdtemp(path.join(tmpdir(), "authority-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await sandbox.close();
});

test("SM-4: what npm start sets has seals stamped by the sandbox's authority, whose root is trusted", async () => {
  const { authority } = proofSettings(await demoAuthority(sandbox.url, folder, {}));
  if (authority === null) throw new Error("there is no authority");
  expect(await timestamp(authority, "a seal")).toMatchObject({ kind: "stamped" });
});

test("SM-4: an authority that the caller names is not replaced, not even by half", async () => {
  const own = { TSA_URL: "https://tsa.example/" };
  expect(await demoAuthority(sandbox.url, folder, own)).toEqual({});
  expect(await demoAuthority(sandbox.url, folder, { TSA_CA_FILE: "roots.pem" })).toEqual({});
});
