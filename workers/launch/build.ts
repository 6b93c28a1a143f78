import path from "node:path";
import { fileURLToPath } from "node:url";
import { generateClient } from "./generate";
import { projectRoot } from "./root";
import { mustRun } from "./run-step";
import { contentStamp, isStamped, writeStamp } from "./stamp";

const STAMP_FILE = path.join(projectRoot, ".next/deadline-ledger.stamp");
/** Everything that the built console is made from. */
const SOURCES = [
  "app",
  "components",
  "lib",
  "public",
  "instrumentation.ts",
  "middleware.ts",
  "proxy.ts",
  "next.config.ts",
  "postcss.config.mjs",
  "prisma/schema.prisma",
  "tsconfig.json",
  "package-lock.json",
];
const NOT_BUILT = /\.test\.tsx?$|^lib\/testing$|^lib\/store\/prisma$/;
const HEARTBEAT_MS = 10_000;

/**
 * Builds the console unless the last build was made from the same sources. Reports each line of the build,
 * and the time every few seconds, so that nobody takes a minute of silence for a hang. Returns false when
 * there was nothing to do.
 */
export async function buildConsole(report: (line: string) => void): Promise<boolean> {
  await generateClient();
  const stamp = contentStamp(projectRoot, SOURCES, NOT_BUILT);
  if (isStamped(STAMP_FILE, stamp)) return false;
  const began = Date.now();
  const heartbeat = setInterval(() => {
    report(`still building, ${Math.round((Date.now() - began) / 1000)} s`);
  }, HEARTBEAT_MS);
  try {
    await mustRun("Building the console", ["node_modules/next/dist/bin/next", "build"], {
      env: { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
      onLine: report,
    });
  } finally {
    clearInterval(heartbeat);
  }
  writeStamp(STAMP_FILE, stamp);
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const built = await buildConsole((line) => process.stdout.write(`${line}\n`));
  if (!built) process.stdout.write("The console is built from these very sources already.\n");
}
