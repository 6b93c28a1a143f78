import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { DECLARATIONS } from "@/app/api/v1/declarations";
import { projectRoot } from "@/workers/launch/root";
import { openApiDocument } from "./openapi";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** The API's paths as the folders of its route files spell them. */
function pathsOnDisk(): string[] {
  const folder = path.join(projectRoot, "app/api/v1");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "route.ts" && !file.startsWith("openapi.json"))
    .map((file) => path.dirname(file).replaceAll(path.sep, "/"))
    .map((place) => `/api/v1/${place.replaceAll("[", "{").replaceAll("]", "}")}`);
}

test("API-1: every route file of the API is declared, and every declaration has its file", () => {
  expect(Object.keys(DECLARATIONS).sort()).toEqual(pathsOnDisk().sort());
});

test("API-1: every handler of a declared path went through the wrapper and is in openapi.json", () => {
  const document = openApiDocument(DECLARATIONS);
  for (const [place, handlers] of Object.entries(DECLARATIONS)) {
    const methods = METHODS.filter((method) => method in handlers);
    expect(methods.length, place).toBeGreaterThan(0);
    for (const method of methods) expect(handlers[method]?.declaration, place).toBeDefined();
    const drawn = Object.keys(document.paths?.[place] ?? {});
    expect(drawn.sort(), place).toEqual(methods.map((method) => method.toLowerCase()).sort());
  }
});

test("API-1: the document names parameters, body and problems of a write", () => {
  const extensions = "/api/v1/t/{tenant}/requests/{ref}/extensions";
  const post = openApiDocument(DECLARATIONS).paths?.[extensions]?.post;
  const names = (post?.parameters ?? []).map((one) => ("name" in one ? one.name : ""));
  expect(names.sort()).toEqual(["Idempotency-Key", "ref", "tenant"]);
  expect(JSON.stringify(post?.requestBody)).toContain("zone");
  expect(JSON.stringify(post?.responses)).toContain("application/problem+json");
});
