import { gzipSync } from "node:zlib";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import type { WebhookSecret } from "./port";
import { verifyStandardWebhook } from "./webhook-signature";

const S1 = { keyId: "key_1", secret: "whsec_b3Blbi1jYXNlLXNpZ25pbmcta2V5LTAwMQ==" };
const S2 = { keyId: "key_2", secret: "whsec_b3Blbi1jYXNlLXNpZ25pbmcta2V5LTAwMg==" };
const NOW = 1_803_902_400;

function verify(
  id: string,
  timestamp: number | string,
  body: string | Uint8Array,
  signature: string,
  secrets: readonly WebhookSecret[] = [S1],
) {
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signature,
  };
  return verifyStandardWebhook(Buffer.from(body), headers, secrets, NOW * 1000);
}

test("IN-1 C-15: the signature is over the bytes, not over what they parse to", () => {
  const body = String.raw`{"type":"request.completed","data":{"request_id":"req_7001","signer":"Zo\u00eb Example","amount":10.0,"url":"https:\/\/sign.example\/r\/7001"}}`;
  expect(Buffer.byteLength(body)).toBe(143);
  const good = "v1,7UJ5VG657Am6iJOsr84AaEmSX77L5Tuk98kwl37FH7s=";
  expect(verify("msg_open_0019", NOW, body, good)).toEqual({
    authentic: true,
    keyId: "key_1",
    deliveryId: "msg_open_0019",
    signedAtMs: NOW * 1000,
  });
  const parsed = JSON.stringify(JSON.parse(body));
  expect(verify("msg_open_0019", NOW, parsed, good).authentic).toBe(false);
  const overParsed = "v1,+An6rS7X21tVxqJpIVJ1DHA7fa3oS74XNMHWJFa74t4=";
  expect(verify("msg_open_0019", NOW, body, overParsed)).toEqual({
    authentic: false,
    why: "signature",
  });
  expect(verify("msg_open_0019", NOW, gzipSync(body), good).authentic).toBe(false);
});

test.each([
  [1_803_902_099, "v1,oRG/rJ250uoVc1AP1MkWdSUNoA2AmahgzWjUnZq0tZU=", false],
  [1_803_902_101, "v1,xsLchlgSGRT1Ma9OU+eMEIpFpU3Amr9uQ2TXvCtEX/8=", true],
  [1_803_902_699, "v1,HLLGRsu3p7wurHrw3qommRha+8sCsg5KUsCoYeBjsPg=", true],
  [1_803_902_701, "v1,GXDywtUH3/0g9V2FAM7ykrvnY1d06cxYESodVbZMBxA=", false],
  ["1803902400.0", "v1,oIMKFQZehScF7EdY19FN+tkhhvu8lEGU8dJKm0ujf8w=", false],
])(
  "IN-1 C-16: a delivery of %s at 1803902400 is judged by its age, both ways",
  (at, signature, ok) => {
    const body = '{"type":"request.sent","data":{"request_id":"req_7002"}}';
    const result = verify("msg_open_0020", at, body, signature);
    expect(result).toMatchObject(
      ok ? { authentic: true, keyId: "key_1" } : { authentic: false, why: "timestamp" },
    );
  },
);

const DECLINED = '{"type":"request.declined","data":{"request_id":"req_7003"}}';
const BY_S1 = "v1,8/NKEQWzDAt0U2iyfyf/52bN7fRFu/mhO4iAIPtFpEc=";
const BY_S2 = "v1,/KaZvvanB5lmgGIkaSJHAU7hWxhDCHP4IQj1dBPFMRE=";

test.each([
  ["several, the second ours", `v1,AAAA ${BY_S1} v2,BBBB`, "key_1"],
  ["by the newer secret", BY_S2, "key_2"],
  ["under another label", BY_S1.replace("v1", "v2"), null],
  ["without its padding", BY_S1.slice(0, -1), null],
  ["none at all", "", null],
])("IN-1 C-17: while two secrets are active, signatures %s", (_name, header, keyId) => {
  const result = verify("msg_open_0021", NOW, DECLINED, header, [S1, S2]);
  expect(result).toMatchObject(
    keyId ? { authentic: true, keyId } : { authentic: false, why: "signature" },
  );
});

test("IN-1 C-17: a secret that is retired no longer counts", () => {
  const several = `v1,AAAA ${BY_S1} v2,BBBB`;
  expect(verify("msg_open_0021", NOW, DECLINED, several, [S2]).authentic).toBe(false);
  expect(verify("msg_open_0021", NOW, DECLINED, BY_S2, [S2]).authentic).toBe(true);
  expect(verify("msg_open_0021", NOW, DECLINED, BY_S2, []).authentic).toBe(false);
});

test("IN-1 C-17: five thousand signatures are refused without trying them, even with the right one last", () => {
  const many = `${Array.from({ length: 5000 }, () => "v1,AAAA").join(" ")} ${BY_S1}`;
  expect(verify("msg_open_0021", NOW, DECLINED, many, [S1, S2])).toEqual({
    authentic: false,
    why: "headers",
  });
});

test("IN-1: missing or odd headers are refused without throwing", () => {
  expect(verifyStandardWebhook(Buffer.from("{}"), {}, [S1], NOW * 1000).authentic).toBe(false);
  for (const id of ["", "with space", "x".repeat(300)]) {
    expect(verify(id, NOW, DECLINED, BY_S1)).toEqual({ authentic: false, why: "headers" });
  }
});

test("the check agrees with the library that signs", () => {
  const signature = new Webhook(S2.secret).sign("msg_1", new Date(NOW * 1000), DECLINED);
  expect(verify("msg_1", NOW, DECLINED, signature, [S1, S2])).toMatchObject({
    authentic: true,
    keyId: "key_2",
  });
});
