import { expect, test } from "vitest";
import { REASON_CODES } from "./reason";
import { reasonSentence } from "./reason-sentence";

test("a sentence without its value is left out while another one remains", () => {
  expect(reasonSentence("call_timed_out")).toBe("It may have applied the change.");
  expect(reasonSentence("call_timed_out", { n: 10 })).toContain("within 10 s");
});

test("a gap is said where nothing else could be said, and no code gives an empty sentence", () => {
  for (const code of REASON_CODES) expect(reasonSentence(code), code).not.toBe("");
  expect(reasonSentence("awaiting_due_time")).toContain("(not recorded)");
});

test("a code of a later release is shown as it is", () => {
  expect(reasonSentence("moon_phase_wrong")).toBe("moon_phase_wrong");
});
