import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { projectRoot } from "@/workers/launch/root";

export interface Chromium {
  executablePath: string;
  /** Added to the environment of the browser. */
  env: Record<string, string>;
  /** Which of the places it was found in, for the report. */
  source: string;
}

/** Works as root and without a graphics card, and asks the internet for nothing. */
export const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const SYSTEM_PLACES = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * Finds a Chromium for the browser tests: `CHROMIUM_PATH`, the one that Playwright installed, the one that comes
 * inside an npm package, or the system's. The packaged one draws no window, which makes it the faster one: a whole
 * browser opens a window with a page of its own around every page. Throws with what to do when none of them runs.
 */
export async function findChromium(): Promise<Chromium> {
  const explicit = process.env.CHROMIUM_PATH;
  if (explicit) {
    if (runs(explicit)) return { executablePath: explicit, env: {}, source: "CHROMIUM_PATH" };
    throw new Error(`CHROMIUM_PATH is ${explicit}, which does not start.`);
  }
  const own = await playwrightsOwn();
  if (own && runs(own)) return { executablePath: own, env: {}, source: "Playwright" };
  const packaged = await unpacked();
  if (packaged) return packaged;
  const system = SYSTEM_PLACES.find((place) => runs(place));
  if (system) return { executablePath: system, env: {}, source: "the system" };
  throw new Error(
    "No Chromium was found for the browser tests. Install the package chromium of your system, run " +
      "npx playwright install chromium, or set CHROMIUM_PATH to one that you have.",
  );
}

async function playwrightsOwn(): Promise<string | null> {
  const { chromium } = await import("@playwright/test");
  const place = chromium.executablePath();
  return place && existsSync(place) ? place : null;
}

function runs(place: string, env: Record<string, string> = {}): boolean {
  if (!existsSync(place)) return false;
  const started = spawnSync(place, ["--version", "--no-sandbox"], {
    env: { ...process.env, ...env },
    timeout: 20_000,
  });
  return started.status === 0;
}

/** The package unpacks into the folder for temporary files, whoever owns what is there; we give it our own. */
async function unpacked(): Promise<Chromium | null> {
  if (process.platform !== "linux" || process.arch !== "x64") return null;
  const folder = path.join(projectRoot, ".data", "chromium");
  if (!existsSync(folder)) await unpackInto(folder);
  const executablePath = path.join(folder, "chromium");
  const fonts: Record<string, string> = existsSync("/etc/fonts/fonts.conf")
    ? {}
    : { FONTCONFIG_PATH: path.join(folder, "fonts") };
  const withLibraries = { ...fonts, LD_LIBRARY_PATH: path.join(folder, "al2023", "lib") };
  const source = "the npm package @sparticuz/chromium";
  for (const env of [fonts, withLibraries]) {
    if (runs(executablePath, env)) return { executablePath, env, source };
  }
  return null;
}

async function unpackInto(folder: string): Promise<void> {
  const { inflate } = await import("@sparticuz/chromium");
  const main = createRequire(import.meta.url).resolve("@sparticuz/chromium");
  const packed = path.resolve(path.dirname(main), "..", "..", "bin");
  const half = `${folder}.${process.pid}`;
  const temporary = process.env.TMPDIR;
  mkdirSync(half, { recursive: true });
  process.env.TMPDIR = half;
  try {
    const parts = ["chromium.br", "fonts.tar.br", "swiftshader.tar.br", "al2023.tar.br"];
    await Promise.all(parts.map((part) => inflate(path.join(packed, part))));
  } finally {
    if (temporary === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = temporary;
  }
  if (existsSync(folder)) rmSync(half, { recursive: true });
  else renameSync(half, folder);
}
