import path from "node:path";
import { fileURLToPath } from "node:url";
import { projectRoot } from "./root";
import { mustRun } from "./run-step";
import { contentStamp, isStamped, writeStamp } from "./stamp";

const STAMP_FILE = path.join(projectRoot, "lib/store/prisma/.stamp");

/** Generates the Prisma client when its schema, or Prisma itself, is not the one it was made from. */
export async function generateClient(): Promise<boolean> {
  const sources = ["prisma/schema.prisma", "prisma.config.ts", "node_modules/prisma/package.json"];
  const stamp = contentStamp(projectRoot, sources, /^$/);
  if (isStamped(STAMP_FILE, stamp)) return false;
  await mustRun("Generating the Prisma client", ["node_modules/prisma/build/index.js", "generate"]);
  writeStamp(STAMP_FILE, stamp);
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const generated = await generateClient();
  process.stdout.write(`The Prisma client ${generated ? "was generated" : "is up to date"}.\n`);
}
