import { expect, test } from "vitest";
import { isFinal } from "./operation";
import { isReasonCode, opensReview, REASON_CODES, REASONS, reasonWord, sentenceOf } from "./reason";
import * as groups from "./reason-words";

test("SM-3: every reason code belongs to one group only", () => {
  const all = Object.values(groups).flatMap((group) => Object.keys(group));
  expect(new Set(all).size).toBe(all.length);
  expect(all.sort()).toEqual([...REASON_CODES].sort());
});

test("RV-1: every reason that a person must decide has an owner", () => {
  for (const code of REASON_CODES.filter(opensReview)) {
    expect(reasonWord(code).owner, code).not.toBe("none");
  }
});

test("SM-3: a reason ends an operation exactly when it says how it ended", () => {
  for (const code of REASON_CODES) {
    const { group, endsIn } = reasonWord(code);
    expect(endsIn !== null, code).toBe(group === "ended");
    if (endsIn !== null) expect(isFinal(endsIn), code).toBe(true);
  }
});

test("PV-4: no sentence has a place for a person's details", () => {
  for (const code of REASON_CODES) {
    expect(REASONS[code].sentence, code).not.toMatch(/\{(?:name_of|email|phone|address|ip|link)/);
  }
});

test("screens 2.6: sentences are filled and leave out what is not known", () => {
  expect(sentenceOf("call_timed_out", { n: 10 })).toBe(
    "The platform did not answer within 10 s. It may have applied the change.",
  );
  expect(sentenceOf("superseded", { op: "op 7c1e4b09" })).toBe("Replaced by op 7c1e4b09.");
  expect(sentenceOf("awaiting_earlier_operation")).toBe(
    "Another change of this request is not settled.",
  );
  expect(sentenceOf("awaiting_due_time")).toBe("Due (not recorded).");
});

test("SM-3: a code of a later release is not taken for one of ours", () => {
  expect(isReasonCode("effect_confirmed")).toBe(true);
  expect(isReasonCode("toString")).toBe(false);
});
