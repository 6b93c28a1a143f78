import { execFile } from "node:child_process";
import { copyFile, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type CheckScope, type PackScope, scopeText } from "@/lib/domain/history-scope";
import { makePacks } from "@/lib/flows/make-packs";
import { type SealContext, sealChains } from "@/lib/flows/seal-chains";
import { verifyChains } from "@/lib/flows/verify-chains";
import { asTenant } from "@/lib/store/db";
import { chunkOf, insertPack } from "@/lib/store/packs";
import { projectRoot } from "@/workers/launch/root";

const MB = 1_048_576;
const SAMPLE_MS = 20;

const secondsSince = (startedMs: number) => (performance.now() - startedMs) / 1000;

/** Seals everything that waits. Returns how long it took and how many seals it came to. */
export async function sealAll(
  context: SealContext,
): Promise<{ readonly seconds: number; readonly seals: number }> {
  const startedMs = performance.now();
  let seals = 0;
  for (let made = 1; made > 0; seals += made) {
    made = await sealChains(context, { everyMs: 3_600_000, leavesMax: 20_000 });
  }
  return { seconds: secondsSince(startedMs), seals };
}

/** Checks a history within the database. Throws when anything is found, since nothing was touched. */
export async function checkAll(context: SealContext, tenantId: string): Promise<number> {
  const startedMs = performance.now();
  const scope: CheckScope = { kind: "all" };
  for await (const { findings } of verifyChains(context.owner, tenantId, scope)) {
    if (findings.length > 0) throw new Error(`found: ${JSON.stringify(findings[0])}`);
  }
  return secondsSince(startedMs);
}

export interface PackFigures {
  readonly seconds: number;
  /** The most memory that the process had resident while it made the pack, and how much of it came on top. */
  readonly peakMb: number;
  readonly grownMb: number;
  readonly operations: number;
  readonly packMb: number;
}

/** Makes one pack as a worker does, and looks at the memory of this process meanwhile. */
export async function measurePack(
  context: SealContext,
  tenantId: string,
  id: string,
  scope: PackScope,
): Promise<PackFigures> {
  const pack = { id, scope: scopeText(scope), askedBy: "user:bench" };
  await asTenant(context.owner, tenantId, (tx) => insertPack(tx, tenantId, pack));
  const before = process.memoryUsage().rss;
  let peak = before;
  const sampling = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, SAMPLE_MS);
  const startedMs = performance.now();
  await makePacks(context);
  const seconds = secondsSince(startedMs);
  clearInterval(sampling);
  const made = await context.owner.pack.findFirstOrThrow({
    where: { tenantId, id },
    select: { state: true, operations: true, bytes: true },
  });
  if (made.state !== "ready") throw new Error(`the pack is ${made.state}`);
  return {
    seconds,
    peakMb: peak / MB,
    grownMb: (peak - before) / MB,
    operations: made.operations,
    packMb: Number(made.bytes) / MB,
  };
}

/** Verifies a pack in an empty folder with nothing but the verifier, and returns how long that took in seconds. */
export async function measureVerify(
  context: SealContext,
  tenantId: string,
  id: string,
): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), "pack-"));
  try {
    await writePack(context, tenantId, id, path.join(folder, "pack.zip"));
    const verifier = path.join(folder, "verify.mjs");
    await copyFile(path.join(projectRoot, "docs/verify-pack.mjs"), verifier);
    const startedMs = performance.now();
    await new Promise<void>((resolve, reject) => {
      execFile(process.execPath, ["verify.mjs", "pack.zip"], { cwd: folder }, (error, out) =>
        error === null ? resolve() : reject(new Error(out)),
      );
    });
    return secondsSince(startedMs);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function writePack(
  { owner }: SealContext,
  tenantId: string,
  id: string,
  target: string,
): Promise<void> {
  const file = await open(target, "w");
  for (let place = 0; ; place += 1) {
    const chunk = await asTenant(owner, tenantId, (tx) => chunkOf(tx, tenantId, id, place));
    if (chunk === null) break;
    await file.write(chunk);
  }
  await file.close();
}
