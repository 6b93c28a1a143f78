import { expect, test } from "vitest";
import { descriptorOf } from "@/lib/providers/sandbox/descriptor";
import { sandboxProfile } from "@/lib/providers/sandbox/profiles";
import { capabilityChanges } from "./capability-changes";

const exact = descriptorOf(sandboxProfile("exact"));
const text = (value: unknown) => JSON.stringify(value);

test("PL-2: a changed promise is said by its field with the words before and after, and nothing else is", () => {
  const times = { ...exact.times, send: { ...exact.times.send, processingMs: "unknown" as const } };
  const changes = capabilityChanges(
    text(exact),
    text({ ...exact, times, eventId: !exact.eventId }),
  );
  expect(changes?.map(({ field, per }) => [field, per])).toEqual([
    ["Longest pause · processing · visibility", "send"],
    ["Events have an id", "events"],
  ]);
  expect(changes?.[0]?.after).toContain("unknown");
  expect(changes?.[0]?.before).not.toContain("unknown");
});

test("PL-2: evidence and date are part of what is promised", () => {
  const later = { ...exact, evidence: "observed" as const, asOf: "2027-06-01" };
  expect(capabilityChanges(text(exact), text(later))).toEqual([
    { field: "Evidence", per: "all", before: exact.evidence, after: "observed" },
    { field: "As of", per: "all", before: exact.asOf, after: "2027-06-01" },
  ]);
  expect(capabilityChanges(text(exact), text(exact))).toEqual([]);
});

test("what is no descriptor of this release says nothing instead of something wrong", () => {
  expect(capabilityChanges("{", text(exact))).toBeNull();
  expect(capabilityChanges(text(exact), null)).toBeNull();
  expect(capabilityChanges("{}", text(exact))).toBeNull();
});
