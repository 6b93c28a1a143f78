import { expect, test } from "vitest";
import { formatLocal, formatUtc } from "./deadline";
import { type Payload, PayloadSchema } from "./payload";
import { describePayload } from "./payload-words";
import { REQUEST_WORDS } from "./words";
import { isInstant } from "./zone";

const digest = (letter: string): string => letter.repeat(64);
const uuid = (last: number): string => `7c1e4b09-0000-4000-8000-00000000000${last}`;
const SIGNERS = [
  { subject_ref: "s_41", role: "tenant", order: 1, contact_digest: digest("a") },
  { subject_ref: "s_42", role: "owner", order: 2, contact_digest: digest("b") },
];
const DEADLINE = {
  date: "2026-12-18",
  time: "17:00",
  zone: "Europe/Berlin",
  choice: "only",
  instant: "2026-12-18T16:00:00Z",
  offset: "+01:00",
  zoneData: "2026f",
};
const ON_A_REQUEST = {
  schema: 1,
  request_ref: "req_7006",
  connection_id: uuid(1),
  supersedes_op_id: uuid(2),
  platform_ref: "env_77",
  expected: {
    status: "viewed",
    expires_at: "2026-12-15T16:00:00Z",
    version: "v7",
    signers: SIGNERS,
  },
  reason_digest: digest("c"),
};

const SAMPLES: Record<Payload["kind"], Payload> = {
  extend: sample({
    ...ON_A_REQUEST,
    kind: "extend",
    target: { expires_at: "2026-12-18T16:00:00Z", business_deadline: DEADLINE },
    reminders: "unchanged",
    signature_policy: "policy-ses",
    timers: {
      reminders: ["2026-12-10T08:00:00Z", "2026-12-17T08:00:00Z"],
      closes_at_deadline: true,
      policies: { remind: 4, expire: 86 },
    },
  }),
  send: sample({
    schema: 1,
    kind: "send",
    request_ref: "req_7006",
    connection_id: uuid(1),
    supersedes_op_id: uuid(2),
    revision: 31,
    documents: [{ digest: digest("d"), version: 93 }],
    template: { id: "tpl_1", version: "tv_9" },
    merge_fields: [{ name: "rent", value_ref: "vt_1", value_digest: digest("e") }],
    signers: SIGNERS,
    routing: "sequential",
    placement: [
      {
        subject_ref: "s_41",
        document_digest: digest("d"),
        field: "signature",
        page: 73,
        x: 71.5,
        y: 650,
        width: 180,
        height: 42,
      },
    ],
    signature_policy: "policy-ses",
    expires_at: "2026-12-18T16:00:00Z",
    business_deadline: DEADLINE,
    reminders: { owner: "application", interval_days: 7 },
    message: { ref: "vt_2", digest: digest("f") },
    title: { ref: "vt_3", digest: digest("1") },
    timers: {
      reminders: ["2026-12-11T08:00:00Z"],
      closes_at_deadline: true,
      policies: { remind: 74, expire: 75 },
    },
    replaces: {
      platform_ref: "env_76",
      expected: {
        status: "viewed",
        expires_at: "2026-12-14T16:00:00Z",
        version: "v6",
        signers: [{ subject_ref: "s_40", role: "buyer", order: 1, contact_digest: digest("8") }],
      },
      starts: "after_void",
      reason_digest: digest("9"),
      shown_reason: { ref: "vt_7", digest: digest("7") },
      void_policy: 57,
    },
  }),
  remind: sample({
    ...ON_A_REQUEST,
    kind: "remind",
    signers: [SIGNERS[1]],
    message: { ref: "vt_2", digest: digest("f") },
  }),
  resend: sample({
    ...ON_A_REQUEST,
    kind: "resend",
    signers: SIGNERS,
    moves_expiry_to: "2027-01-15T16:00:00Z",
    moves_expiry: "from_the_call",
  }),
  expire: sample({ ...ON_A_REQUEST, kind: "expire", business_deadline: DEADLINE }),
  void: sample({
    ...ON_A_REQUEST,
    kind: "void",
    shown_reason: { ref: "vt_4", digest: digest("2") },
  }),
};

function sample(value: unknown): Payload {
  return PayloadSchema.parse(value);
}

test("AP-1: each kind says in one sentence what will happen", () => {
  const sentences = Object.values(SAMPLES).map((payload) => describePayload(payload).sentence);
  expect(sentences).toEqual([
    "Extend the deadline of req_7006 from 15 Dec 2026, 17:00 CET to 18 Dec 2026, 17:00 CET (Europe/Berlin)",
    "Send 1 document of req_7006 to 2 signers until 18 Dec 2026, 17:00 CET (Europe/Berlin), in place of an earlier one, once that is voided",
    "Remind 1 signer of req_7006",
    "Send req_7006 again to 2 signers",
    "Close req_7006 at 18 Dec 2026, 17:00 CET (Europe/Berlin)",
    "Void req_7006",
  ]);
});

test("AP-1: what changes is told first, with the value before and after", () => {
  const first = (kind: Payload["kind"]) => describePayload(SAMPLES[kind]).rows[0];
  expect(first("extend")).toEqual({
    label: "Platform expiry",
    before: "15 Dec 2026, 17:00 CET",
    after: "18 Dec 2026, 17:00 CET",
  });
  expect(first("void")).toEqual({ label: "Status", before: "Opened", after: "Voided" });
  expect(first("expire")).toEqual({ label: "Status", before: "Opened", after: "Expired" });
  expect(first("remind")).toMatchObject({ label: "Reminded signer 1", before: null });
});

test("PL-2: a resend says what the platform does to the expiry by itself", () => {
  const told = (change: object) =>
    describePayload(sample({ ...SAMPLES.resend, ...change })).rows.find(
      ({ label }) => label === "Platform expiry",
    );
  const before = "15 Dec 2026, 16:00 UTC";
  expect(told({})).toMatchObject({
    before,
    after: "about 2027-01-15 16:00Z, counted anew from the call",
  });
  expect(told({ moves_expiry_to: null })?.after).toBe("counted anew from the call");
  const kept = { ...SAMPLES.resend, moves_expiry_to: null } as Record<string, unknown>;
  delete kept.moves_expiry;
  const rows = describePayload(sample(kept)).rows;
  expect(rows.find(({ label }) => label === "Platform expiry")).toMatchObject({
    before,
    after: "unchanged",
  });
});

test("AP-1: the plain words leave out no member of any kind of payload", () => {
  for (const payload of Object.values(SAMPLES)) {
    const description = describePayload(payload);
    const told = [
      description.sentence,
      ...description.rows.flatMap(({ label, before, after }) => [label, before ?? "", after ?? ""]),
    ].join("\n");
    for (const [path, value] of leavesOf(payload)) {
      expect(
        spellings(path, value).some((spelled) => told.includes(spelled)),
        `${payload.kind} ${path}`,
      ).toBe(true);
    }
  }
});

/** Members that are told by the choice of words instead of their value. */
const IN_WORDS: Record<string, string> = {
  kind: "",
  "reminders.owner": "This console reminds",
  routing: "one after the other",
  "replaces.starts": "when the void is confirmed",
  moves_expiry: "counted anew from the call",
};

function spellings(path: string, value: string | number): readonly string[] {
  const name = path.replace(/^.*business_deadline\./, "");
  if (name === "choice") return ["The time exists once."];
  const words = IN_WORDS[path];
  if (words !== undefined) return [words];
  if (typeof value === "number") return [String(value)];
  if (isInstant(value))
    return [formatUtc(value), formatLocal(value, "Europe/Berlin"), formatLocal(value, "UTC")];
  if (path.endsWith("expected.status")) return [REQUEST_WORDS.viewed.label];
  return [value];
}

function leavesOf(value: unknown, path = ""): readonly [string, string | number][] {
  if (typeof value === "boolean") return [[path, "at the business deadline"]];
  if (typeof value === "string" || typeof value === "number") return [[path, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    leavesOf(member, path === "" ? name : `${path}.${name}`),
  );
}
