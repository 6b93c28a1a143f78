import { createHash } from "node:crypto";
import { PackScopeSchema } from "@/lib/domain/history-scope";
import type { PackHead } from "@/lib/domain/pack";
import { packBytes } from "@/lib/providers/pack-file";
import { asTenant } from "@/lib/store/db";
import { TAKES_MAX } from "@/lib/store/history-checks";
import {
  dropChunks,
  failPack,
  insertChunk,
  notePackProgress,
  readyPack,
  type TakenPack,
  takePack,
} from "@/lib/store/packs";
import { inSnapshot } from "@/lib/store/snapshot";
import { packPlan } from "./pack-contents";
import type { SealContext } from "./seal-chains";

/** Longer than one page of a pack ever takes; every page renews it. */
const LEASE_MS = 120_000;
/** A pack that takes longer was asked for too widely. */
const MAKING_MS = 1_800_000;
const CHUNK_BYTES = 524_288;

/** Another worker took the pack over; what we made of it is dropped by that one. */
class TakenOver extends Error {}

/**
 * Makes the evidence pack that waited longest (SM-6): everything out of one snapshot, written away in pieces, with
 * memory that does not grow with the pack. Returns how many packs were looked after. A pack whose worker died is
 * made again by another, and given up after a few times.
 */
export async function makePacks(context: SealContext): Promise<number> {
  const pack = await takePack(context.owner, LEASE_MS);
  if (pack === null) return 0;
  const { tenantId } = pack;
  if (pack.takes > TAKES_MAX) {
    await asTenant(context.db, tenantId, async (tx) => {
      await failPack(tx, pack);
      await dropChunks(tx, pack, "all");
    });
    context.log.error({ event: "pack_given_up", tenant: tenantId, count: pack.takes });
    return 1;
  }
  try {
    const count = await make(context, pack);
    context.log.info({ event: "pack_ready", tenant: tenantId, count });
  } catch (error) {
    if (!(error instanceof TakenOver)) throw error;
    context.log.warn({ event: "pack_taken_over", tenant: tenantId });
  }
  return 1;
}

/** Returns how many operations the pack holds. */
async function make({ db }: SealContext, pack: TakenPack): Promise<number> {
  const { tenantId } = pack;
  await asTenant(db, tenantId, (tx) => dropChunks(tx, pack, "earlier"));
  const { file, operations } = await inSnapshot(
    db,
    tenantId,
    async (tx) => {
      const { facts, sources } = await packPlan(tx, headOf(pack), async (counts) => {
        const ours = await asTenant(db, tenantId, (other) =>
          notePackProgress(other, pack, counts, LEASE_MS),
        );
        if (!ours) throw new TakenOver();
      });
      const bytes = packBytes(sources, new Date(pack.askedAt));
      const file = await keep(bytes, (place, chunk) =>
        asTenant(db, tenantId, (other) => insertChunk(other, pack, place, chunk)),
      );
      return { file, operations: facts.operations };
    },
    MAKING_MS,
  );
  if (!(await asTenant(db, tenantId, (tx) => readyPack(tx, pack, file)))) throw new TakenOver();
  return operations;
}

function headOf({ tenantId, id, scope, askedBy, askedAt }: TakenPack): PackHead {
  return { id, tenantId, scope: PackScopeSchema.parse(JSON.parse(scope)), askedBy, askedAt };
}

/** Cuts a stream of bytes into pieces of one size and hands them on in order. */
async function keep(
  bytes: AsyncIterable<Buffer>,
  store: (place: number, chunk: Uint8Array) => Promise<void>,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash("sha256");
  let [size, place, waiting] = [0, 0, [] as Buffer[]];
  let waitingBytes = 0;
  const flush = async () => {
    await store(place, Buffer.concat(waiting));
    place += 1;
    waiting = [];
    waitingBytes = 0;
  };
  for await (const piece of bytes) {
    hash.update(piece);
    size += piece.byteLength;
    waiting.push(piece);
    waitingBytes += piece.byteLength;
    if (waitingBytes >= CHUNK_BYTES) await flush();
  }
  if (waitingBytes > 0) await flush();
  return { bytes: size, sha256: hash.digest("hex") };
}
