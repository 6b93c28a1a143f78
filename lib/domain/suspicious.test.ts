import { expect, test } from "vitest";
import { suspiciousCharacters } from "./suspicious";

test("C-03: a decomposed name is marked at its combining mark, the composed one is not", () => {
  expect(suspiciousCharacters("Zoe\u0308 Example")).toEqual([
    { index: 3, codePoint: "U+0308", name: "COMBINING DIAERESIS", kind: "combining" },
  ]);
  expect(suspiciousCharacters("Zo\u00eb Example")).toEqual([]);
});

test("C-03: invisible characters and foreign spaces are marked with their place", () => {
  expect(suspiciousCharacters("pat@example.com\u00a0")).toEqual([
    { index: 15, codePoint: "U+00A0", name: "NO-BREAK SPACE", kind: "invisible" },
  ]);
  const hidden = suspiciousCharacters("a\u200bb\u202ec\u00add\u0007e\u{e0041}");
  expect(hidden.map(({ codePoint }) => codePoint)).toEqual([
    "U+200B",
    "U+202E",
    "U+00AD",
    "U+0007",
    "U+E0041",
  ]);
});

test("C-03: a letter of another script inside a word is marked", () => {
  expect(suspiciousCharacters("p\u0430ypal.example")).toEqual([
    {
      index: 1,
      codePoint: "U+0430",
      name: "Cyrillic letter in a Latin word",
      kind: "mixed_script",
    },
  ]);
});

test("C-03: ordinary texts of one script per word are left alone", () => {
  for (const text of [
    "Jürgen Müller, 12 €",
    "Привет world",
    "東京タワー",
    "line\nbreak\tand tab",
    "Ωmega",
  ]) {
    const expected = text === "Ωmega" ? 1 : 0;
    expect(suspiciousCharacters(text), text).toHaveLength(expected);
  }
});
