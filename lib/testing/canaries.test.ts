import { expect, test } from "vitest";
import { canarySearch } from "./canaries";

const ADDRESS = "Quilla.Marwood@zephyrpost.invalid";
const NAME = "Quílla O'Marwood & Söhne";
const search = canarySearch([
  { name: "address", value: ADDRESS, pieces: ["quilla.marwood"] },
  { name: "name", value: NAME },
]);

const base64 = (text: string) => Buffer.from(text).toString("base64");

test.each([
  ["as it is", `to ${ADDRESS}, thanks`],
  ["in capitals", ADDRESS.toUpperCase()],
  ["only its local part", '{"login":"quilla.marwood"}'],
  ["in a URL", `/search?q=${encodeURIComponent(ADDRESS)}`],
  ["in base64", base64(ADDRESS)],
  ["in base64 behind one byte", base64(`x${ADDRESS} and more`)],
  ["in base64 behind two bytes", base64(`xy${ADDRESS} and more`)],
  ["in base64 of a URL", Buffer.from(`?>${ADDRESS}`).toString("base64url")],
  ["in hexadecimal digits", Buffer.from(ADDRESS).toString("hex")],
])("PV-4: the search for canaries finds an address %s", (_how, text) => {
  expect(search(`${"before ".repeat(50)}${text}${" after".repeat(50)}`)).toEqual(["address"]);
});

test.each([
  ["decomposed", NAME.normalize("NFD")],
  ["in HTML", "Quílla O&#x27;Marwood &amp; Söhne"],
  ["in JSON", JSON.stringify({ a: NAME })],
  ["in a form", encodeURIComponent(NAME).replaceAll("%20", "+")],
])("PV-4: the search for canaries finds a name %s", (_how, text) => {
  expect(search(text)).toEqual(["name"]);
});

test("PV-4: the search for canaries finds nothing where nothing is, and all of several", () => {
  expect(search("quilla marwood at zephyrpost, marwoods, 5155")).toEqual([]);
  expect(search(`${NAME}, ${ADDRESS}`)).toEqual(["name", "address"]);
});

test("a canary that would be found everywhere is refused", () => {
  expect(() => canarySearch([{ name: "short", value: "Ann" }])).toThrow("too short");
});
