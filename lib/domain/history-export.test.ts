import { expect, test } from "vitest";
import { csvField, csvLine, type ExportedEntry, jsonLine } from "./history-export";

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "＝1", "|calc"])(
  "PV-6: %j does not reach a spreadsheet as a formula",
  (text) => {
    expect(csvField(text)).toMatch(/^"?'/);
  },
);

test("PV-6: quotes, commas and line ends stay inside their field", () => {
  expect(csvField('a "b", c\nd')).toBe('"a ""b"", c\nd"');
  expect([csvField("plain"), csvField(null), csvField(-3)]).toEqual(["plain", "", "-3"]);
});

test("an entry is one line in either form, with references only", () => {
  const entry: ExportedEntry = {
    at: "2026-11-30T16:20:50.000123Z",
    source: "operation",
    who: "worker:w2",
    what: "transition",
    kind: "extend",
    request: "-lease",
    op: "7c1e4b09-0000-4000-8000-000000000001",
    entry: 5,
    from: "submitting",
    to: "done",
    reason: "effect_confirmed",
    hash: "0".repeat(64),
  };
  expect(csvLine(entry)).toBe(
    `2026-11-30T16:20:50.000123Z,operation,worker:w2,transition,extend,"'-lease",` +
      `7c1e4b09-0000-4000-8000-000000000001,5,submitting,done,effect_confirmed,${"0".repeat(64)}\r\n`,
  );
  expect(JSON.parse(jsonLine(entry))).toEqual(entry);
});
