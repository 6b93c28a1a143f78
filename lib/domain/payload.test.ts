import { expect, test } from "vitest";
import { canonicalText, type JsonValue } from "./canonical";
import { CanonicalError } from "./canonical-error";
import { differingFields } from "./difference";
import {
  type ExtendPayload,
  ExtendPayloadSchema,
  type Payload,
  PayloadSchema,
  parsePayload,
  writePayload,
} from "./payload";

const SIGNER = { subject_ref: "s_41", role: "tenant", order: 1, contact_digest: "a".repeat(64) };
const DEADLINE = {
  date: "2026-12-18",
  time: "17:00",
  zone: "Europe/Berlin",
  choice: "only",
  instant: "2026-12-18T16:00:00Z",
  offset: "+01:00",
  zoneData: "2026f",
} as const;

const EXTEND: ExtendPayload = {
  schema: 1,
  kind: "extend",
  request_ref: "req_7006",
  connection_id: "7c1e4b09-0000-4000-8000-000000000001",
  platform_ref: "env_77",
  target: { expires_at: "2026-12-18T16:00:00Z", business_deadline: DEADLINE },
  expected: {
    status: "viewed",
    expires_at: "2026-12-15T16:00:00Z",
    version: "7",
    signers: [SIGNER],
  },
  reason_digest: "b".repeat(64),
  reminders: "unchanged",
  supersedes_op_id: null,
  signature_policy: null,
};

test("ID-3 ID-4: a payload comes back from its canonical text as it was approved", () => {
  const { text, hash } = writePayload(EXTEND);
  expect(parsePayload(text)).toEqual(EXTEND);
  expect(writePayload(parsePayload(text)).hash).toBe(hash);
  expect(text.startsWith('{"connection_id":"7c1e4b09-')).toBe(true);
});

test("ID-3: a stored text that is not canonical, or no longer a payload, is never acted on", () => {
  const { text } = writePayload(EXTEND);
  expect(() => parsePayload(` ${text}`)).toThrow("invariant");
  expect(() =>
    parsePayload(text.replace('"kind":"extend"', '"kind":"extend","kind":"void"')),
  ).toThrow(CanonicalError);
  expect(() => parsePayload(text.replace('"schema":1', '"schema":2'))).toThrow();
  expect(() => parsePayload("{}")).toThrow();
});

test("ID-4: a payload has no member that the schema does not know, and misses none", () => {
  const members = Object.keys(EXTEND) as (keyof typeof EXTEND)[];
  for (const member of members) {
    const { [member]: _left, ...rest } = EXTEND;
    expect(PayloadSchema.safeParse(rest).success, member).toBe(false);
  }
  expect(PayloadSchema.safeParse({ ...EXTEND, request_id: "rq_1" }).success).toBe(false);
  const hidden: unknown = JSON.parse(canonicalText(EXTEND).replace("{", '{"__proto__":1,'));
  expect(PayloadSchema.safeParse(hidden).success).toBe(false);
  const target = { ...EXTEND.target, days: 7 };
  expect(PayloadSchema.safeParse({ ...EXTEND, target }).success).toBe(false);
});

test("ID-5 TM-3: neither contact details nor a relative expiry fit into a payload", () => {
  const people: object[] = [
    { ...SIGNER, subject_ref: "pat@example.com" },
    { ...SIGNER, contact_digest: "pat@example.com" },
    { ...SIGNER, email: "pat@example.com" },
  ];
  for (const person of people) {
    const expected = { ...EXTEND.expected, signers: [person] };
    expect(ExtendPayloadSchema.safeParse({ ...EXTEND, expected }).success).toBe(false);
  }
  const target = { ...EXTEND.target, expires_at: "+7 days" };
  expect(ExtendPayloadSchema.safeParse({ ...EXTEND, target }).success).toBe(false);
});

test("ID-4 ID-6: each thing that an approver decides changes the hash, and its field is named", () => {
  const changes: [string, Partial<Payload>][] = [
    ["target.expires_at", { target: { ...EXTEND.target, expires_at: "2026-12-18T16:00:01Z" } }],
    ["expected.version", { expected: { ...EXTEND.expected, version: "8" } }],
    [
      "expected.signers.0.order",
      { expected: { ...EXTEND.expected, signers: [{ ...SIGNER, order: 2 }] } },
    ],
    ["platform_ref", { platform_ref: "env_78" }],
    ["reason_digest", { reason_digest: "c".repeat(64) }],
    ["supersedes_op_id", { supersedes_op_id: "7c1e4b09-0000-4000-8000-000000000002" }],
  ];
  for (const [field, change] of changes) {
    const changed = { ...EXTEND, ...change } as Payload;
    expect(writePayload(changed).hash, field).not.toBe(writePayload(EXTEND).hash);
    expect(differingFields(EXTEND as JsonValue, changed as JsonValue)).toEqual([field]);
  }
});
