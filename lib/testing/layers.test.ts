import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { projectRoot } from "@/workers/launch/root";

/** Imports that each folder must refuse, beside ones that it must accept. */
const LAYERS = {
  "lib/domain": {
    refused: ["@/lib/store/db", "@/lib/flows/propose", "pg", "next/server", "node:fs", "undici"],
    accepted: ["@/lib/domain/operation", "zod", "node:crypto", "./beside"],
  },
  "lib/store": {
    refused: ["@/lib/providers/port", "@/lib/flows/propose", "@/lib/queries/page", "react"],
    accepted: ["@/lib/domain/operation", "@/lib/store/db", "pg", "./beside"],
  },
  "lib/providers": {
    refused: ["@/lib/store/db", "@/lib/flows/propose", "@/lib/runtime/env", "pg", "@prisma/client"],
    accepted: ["@/lib/domain/operation", "@/lib/providers/port", "undici", "./beside"],
  },
  "lib/flows": {
    refused: ["@/lib/queries/page", "@/lib/runtime/env", "@/app/page", "next/server", "react"],
    accepted: ["@/lib/store/db", "@/lib/providers/port", "@/lib/domain/operation", "./beside"],
  },
  "lib/queries": {
    refused: ["@/lib/flows/propose", "@/lib/providers/port", "@/components/badge", "next/server"],
    accepted: ["@/lib/store/db", "@/lib/domain/operation", "./beside"],
  },
  "lib/runtime": {
    refused: ["@/app/page", "@/workers/main", "@/lib/testing/database", "@/sandbox/main"],
    accepted: ["@/lib/flows/propose", "@/lib/store/db", "@/lib/providers/port"],
  },
  components: {
    refused: ["@/lib/store/db", "@/lib/flows/propose", "@/lib/queries/page", "@/app/page", "pg"],
    accepted: ["@/lib/domain/operation", "@/components/badge", "react", "./beside"],
  },
  app: {
    refused: ["@/lib/store/db", "@/lib/providers/port", "@/workers/main", "@/lib/testing/database"],
    accepted: ["@/lib/flows/propose", "@/lib/queries/page", "@/lib/runtime/env", "@/components/b"],
  },
  workers: {
    refused: ["@/lib/store/db", "@/lib/providers/port", "@/app/page", "@/lib/testing/database"],
    accepted: ["@/lib/flows/propose", "@/lib/runtime/env", "@/prisma/migrate", "./beside"],
  },
  sandbox: {
    refused: ["@/lib/store/db", "@/lib/providers/port", "@/app/page", "@/lib/testing/database"],
    accepted: ["@/sandbox/store", "@/lib/domain/operation", "./beside"],
  },
  prisma: {
    refused: ["@/app/page", "@/workers/main", "@/lib/testing/database"],
    accepted: ["@/lib/store/db", "./beside"],
  },
} as const;

/** One slip per rule that the house depends on, each in a file of its own. */
const SLIPS: Record<string, string> = {
  "lib/domain/plugin.ts": `export const now = () => Date.now();\n`,
  "lib/domain/noRestrictedGlobals.ts": `export const get = () => fetch("x");\n`,
  "app/noFloatingPromises.ts": `async function work() {}\nexport function go() {\n  work();\n}\n`,
  "app/noMisusedPromises.ts": `export const odd = async (): Promise<boolean> => true;\nexport function go() {\n  return odd() ? 1 : 2;\n}\n`,
  "app/useExhaustiveSwitchCases.ts": `export function word(state: "a" | "b") {\n  switch (state) {\n    case "a":\n      return 1;\n  }\n}\n`,
  "app/noImportCycles.ts": `import { other } from "./cycle";\nexport const one = () => other;\n`,
  "app/noExcessiveLinesPerFunction.ts": `export function long(count: number) {\n${"  count += 1;\n".repeat(51)}  return count;\n}\n`,
  "app/useImportType.ts": `import { Shape } from "./shape";\nexport const shape: Shape = {};\n`,
};

let folder: string;
/** What Biome reported, as "file rule". */
let reported: string[];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "deadline-ledger-layers-"));
  const config = JSON.parse(await readFile(path.join(projectRoot, "biome.json"), "utf8"));
  await write("biome.json", JSON.stringify({ ...config, vcs: { enabled: false } }));
  for (const name of ["tsconfig.json", "pure-domain.grit"]) {
    await cp(path.join(projectRoot, name), path.join(folder, name));
  }
  for (const [layer, imports] of Object.entries(LAYERS)) {
    const climbing = { climbing: ["../elsewhere", "../../far/away"] };
    for (const [kind, list] of Object.entries({ ...imports, ...climbing })) {
      for (const [index, name] of list.entries()) {
        await write(`${layer}/${kind}-${index}.ts`, `import { it } from "${name}";\nit();\n`);
      }
    }
  }
  for (const [name, text] of Object.entries(SLIPS)) await write(name, text);
  await write(
    "app/cycle.ts",
    `import { one } from "./noImportCycles";\nexport const other = () => one;\n`,
  );
  await write("app/shape.ts", `export interface Shape {}\n`);
  reported = await lint();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function write(name: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
  await writeFile(path.join(folder, name), text);
}

async function lint(): Promise<string[]> {
  const biome = path.join(projectRoot, "node_modules/@biomejs/biome/bin/biome");
  const options = ["lint", "--reporter=json", "--max-diagnostics=none", "."];
  const { stdout } = await promisify(execFile)(process.execPath, [biome, ...options], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error); // It ends with 1 when it finds what it should.
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { category: string; location: { path: string } }[];
  };
  return diagnostics.map(({ category, location }) => {
    return `${location.path} ${category.split("/").at(-1)}`;
  });
}

test.each(Object.entries(LAYERS))("%s refuses every import that goes up or across", (layer, of) => {
  const missing = of.refused.filter(
    (_, index) => !reported.includes(`${layer}/refused-${index}.ts noRestrictedImports`),
  );
  expect(missing).toEqual([]);
});

test.each(Object.entries(LAYERS))("%s accepts every import that goes down", (layer, of) => {
  const wrongly = of.accepted.filter((_, index) =>
    reported.includes(`${layer}/accepted-${index}.ts noRestrictedImports`),
  );
  expect(wrongly).toEqual([]);
});

test.each(Object.keys(LAYERS))("%s refuses to climb with ../", (layer) => {
  for (const index of [0, 1]) {
    expect(reported).toContain(`${layer}/climbing-${index}.ts noRestrictedImports`);
  }
});

test.each(Object.keys(SLIPS))("%s: the linter sees the slip it is named for", (name) => {
  expect(reported).toContain(`${name} ${path.basename(name, ".ts")}`);
});
