import fc from "fast-check";
import { expect, test } from "vitest";
import { KEY_LENGTH_MAX, keyFor, modeOfKey, newSubjectRef, opKey } from "./identity";
import { Refusal } from "./refusal";
import type { RefusalCode } from "./refusal-words";

const SUBJECT = newSubjectRef(new Uint8Array(16).fill(7));

function refusalOf(act: () => unknown): RefusalCode {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  throw new Error("nothing was refused");
}

test("ID-1: each way to an operation has its own form of key", () => {
  const requestRef = "req_7006";
  expect(opKey({ form: "single", requestRef, kind: "extend", approvalId: "ap_31" })).toBe(
    "req_7006/extend/ap_31",
  );
  expect(opKey({ form: "send", requestRef, revision: 2 })).toBe("req_7006/send/2");
  expect(
    opKey({ form: "bulk", campaignKey: "spring-2027", subjectRef: SUBJECT, correction: 0 }),
  ).toBe(`spring-2027/${SUBJECT}/0`);
  expect(
    opKey({ form: "recurring", requestRef, kind: "remind", planId: "weekly-v4", occurrence: 3 }),
  ).toBe("req_7006/remind/weekly-v4/3");
  expect(
    opKey({ form: "sign", documentId: "doc_1", version: 3, signerRef: SUBJECT, policyId: "qes" }),
  ).toBe(`doc_1/3/${SUBJECT}/qes/sign`);
});

test("ID-1: the spelling of an approval id does not make a second operation", () => {
  const approvalId = "7C1E4B09-0000-4000-8000-123456789012";
  const key = (id: string): string =>
    opKey({ form: "single", requestRef: "req_1", kind: "void", approvalId: id });
  expect(key(approvalId)).toBe(key(approvalId.toLowerCase()));
});

test("ID-1 PV-4: nothing that looks like an address or a phone number becomes part of a key", () => {
  const personal = [
    "pat@example.com",
    "pat%40example.com",
    "pat.at.example.com",
    "pat_example.com",
    "+4915112345678",
    "4915112345678",
    "0151-1234567",
    "req_4915112345678",
    "Pat Example",
    "zoë",
    "a/b",
    "",
    "..",
    "-x",
  ];
  for (const value of personal) {
    const single = { form: "single", kind: "extend", approvalId: "ap_1" } as const;
    expect(
      refusalOf(() => opKey({ ...single, requestRef: value })),
      value,
    ).toBe("key_unusable");
    const bulk = { form: "bulk", campaignKey: "c", correction: 0 } as const;
    expect(
      refusalOf(() => opKey({ ...bulk, subjectRef: value })),
      value,
    ).toBe("key_unusable");
  }
  for (const requestRef of ["req_7006", "spring-2027", "2027-03-14", "contract.12", "at-rest"]) {
    expect(opKey({ form: "send", requestRef, revision: 1 })).toBe(`${requestRef}/send/1`);
  }
});

test("ID-1: a refused key is not repeated in the refusal", () => {
  expect(() => opKey({ form: "send", requestRef: "pat@example.com", revision: 1 })).toThrow(
    "The request reference may hold letters",
  );
  try {
    opKey({ form: "send", requestRef: "pat@example.com", revision: 1 });
  } catch (error) {
    expect(String(error)).not.toContain("pat@");
  }
});

test("ID-1: a key of more than 200 characters is refused with both numbers", () => {
  const requestRef = `r${"x".repeat(299)}`;
  expect(refusalOf(() => opKey({ form: "send", requestRef, revision: 1 }))).toBe("key_too_long");
  expect(() => opKey({ form: "send", requestRef, revision: 1 })).toThrow(
    `At most ${KEY_LENGTH_MAX} characters; yours has 307.`,
  );
  expect(() => opKey({ form: "send", requestRef: "r", revision: -1 })).toThrow(RangeError);
});

test("ID-1: subject references are base32 of what they are given, and usable in keys", () => {
  const text = new TextEncoder().encode("foobarfoobar");
  expect(newSubjectRef(text)).toBe("s_mzxw6ytbojtg633cmfza");
  expect(() => newSubjectRef(new Uint8Array(9))).toThrow(RangeError);
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
      const subjectRef = newSubjectRef(bytes);
      expect(subjectRef).toMatch(/^s_[a-z2-7]{26}$/);
      expect(opKey({ form: "bulk", campaignKey: "c", subjectRef, correction: 1 })).toBe(
        `c/${subjectRef}/1`,
      );
    }),
  );
});

test("ID-1: two different decisions never meet in one key", () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9._-]{0,8}[a-z]$/);
  const count = fc.nat(99);
  const source = fc.oneof(
    fc.record({
      form: fc.constant("single" as const),
      requestRef: word,
      kind: fc.constantFrom("extend" as const, "void" as const),
      approvalId: word,
    }),
    fc.record({ form: fc.constant("send" as const), requestRef: word, revision: count }),
    fc.record({
      form: fc.constant("recurring" as const),
      requestRef: word,
      kind: fc.constantFrom("remind" as const, "expire" as const),
      planId: word,
      occurrence: count,
    }),
    fc.record({
      form: fc.constant("bulk" as const),
      campaignKey: word,
      subjectRef: fc.constantFrom(SUBJECT, "s_41"),
      correction: count,
    }),
  );
  const keyOf = (of: Parameters<typeof opKey>[0]): string | null => {
    try {
      return opKey(of);
    } catch (error) {
      expect(error).toBeInstanceOf(Refusal);
      return null;
    }
  };
  fc.assert(
    fc.property(source, source, (left, right) => {
      const [a, b] = [keyOf(left), keyOf(right)];
      fc.pre(a !== null && b !== null);
      expect(a === b).toBe(JSON.stringify(left) === JSON.stringify(right));
    }),
  );
});

test("GO-1: a shadow proposal leaves the key of the live one free, and the key says which it is", () => {
  const live = opKey({ form: "send", requestRef: "req_7006", revision: 1 });
  const shadow = keyFor("shadow", live);
  expect([keyFor("live", live), shadow]).toEqual(["req_7006/send/1", "shadow/req_7006/send/1"]);
  expect([modeOfKey(live), modeOfKey(shadow)]).toEqual(["live", "shadow"]);
  const requestRef = "shadow";
  const named = [
    opKey({ form: "send", requestRef, revision: 1 }),
    opKey({ form: "single", requestRef, kind: "extend", approvalId: "ap_31" }),
    opKey({ form: "recurring", requestRef, kind: "remind", planId: "weekly-v4", occurrence: 3 }),
  ];
  expect(named.map(modeOfKey)).toEqual(["live", "live", "live"]);
  expect(refusalOf(() => keyFor("shadow", "k".repeat(KEY_LENGTH_MAX)))).toBe("key_too_long");
});
