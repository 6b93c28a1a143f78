import { expect, test } from "vitest";
import { z } from "zod";
import { parseStrictJson } from "./canonical";
import { CanonicalError } from "./canonical-error";
import { problemOf, Refusal, refusalOfCanonical, refusalOfIssues } from "./refusal";

test("PV-7: a refusal becomes a problem document with code, request id and its own members", () => {
  const refusal = new Refusal("key_reused", {
    values: { fields: "deadline", op: "op 7c1e4b09", state: "scheduled" },
    extensions: { differing_fields: ["deadline"], op_id: "7c1e4b09", status: 200 },
  });
  expect(refusal.message).toBe(
    "This key belongs to another payload. Different: deadline. First operation: op 7c1e4b09, scheduled.",
  );
  expect(problemOf(refusal, "rq_1")).toEqual({
    type: "urn:deadline-ledger:problem:key_reused",
    title: "The present state does not allow this",
    status: 409,
    detail: refusal.message,
    code: "key_reused",
    request_id: "rq_1",
    differing_fields: ["deadline"],
    op_id: "7c1e4b09",
  });
});

test("PV-7 ID-3: a body that is no JSON says where, an unsafe one says why", () => {
  expect(bodyRefusal('{"a":')).toMatchObject({ code: "body_unreadable", status: 400 });
  expect(bodyRefusal('{"a":').message).toBe("Could not be read as JSON at character 5.");
  expect(bodyRefusal('{"amount":9007199254740993}').message).toBe(
    "The body was refused: integer too large, send it as a string (at character 10).",
  );
});

test("PV-7 PV-4: a refused field is named, what was sent in it is not repeated", () => {
  const schema = z.strictObject({
    role: z.enum(["tenant", "owner"]),
    order: z.number().max(9),
    at: z.iso.datetime(),
    id: z.union([z.string(), z.number()]),
  });
  const sent = { role: "canary-1", order: 10, at: "canary-2", id: null, "canary@example.com": 1 };
  const refusal = refusalOfIssues(schema.safeParse(sent).error ?? new z.ZodError([]));
  expect(refusal.fields).toEqual([
    { path: "role", sentence: "Must be one of: tenant, owner." },
    { path: "order", sentence: "At most 9." },
    { path: "at", sentence: "Not in the form that is needed here." },
    { path: "id", sentence: "Not in the form that is needed here." },
    { path: "", sentence: "Holds 1 member(s) that are not known here." },
  ]);
  expect(JSON.stringify(problemOf(refusal, "rq_1"))).not.toContain("canary");
});

function bodyRefusal(text: string): Refusal {
  try {
    parseStrictJson(text);
  } catch (error) {
    if (error instanceof CanonicalError) return refusalOfCanonical(error);
    throw error;
  }
  throw new Error("nothing was refused");
}
