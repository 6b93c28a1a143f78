import { randomUUID } from "node:crypto";
import { type Claim, claimDue } from "@/lib/store/claims";
import { asTenant, connect, type Database } from "@/lib/store/db";
import { storeIntents } from "@/lib/store/intents";
import { type OutcomeWrite, writeOutcomes } from "@/lib/store/outcomes";

/** How a contender is driven: `workers` loops, each `cycles` times a batch of `batch`. */
export interface Load {
  readonly workers: number;
  readonly cycles: number;
  readonly batch: number;
}

export interface Worker {
  readonly id: string;
  readonly name: string;
}

export const claimOptions = (worker: Worker, batch: number) => ({
  workerId: worker.id,
  workerName: worker.name,
  limit: batch,
  perTenant: Math.max(1, Math.ceil(batch / 2)),
});

export const intent = (claim: Pick<Claim, "opId" | "fence" | "payloadHash">) => ({
  opId: claim.opId,
  fence: claim.fence,
  evidence: { receipt: claim.opId, hash: claim.payloadHash },
});

/** The platform of this bench answers at once and in-process: yes. */
export const accepted = (claim: Pick<Claim, "opId" | "fence">): OutcomeWrite => ({
  opId: claim.opId,
  fence: claim.fence,
  from: "submitting",
  to: "done",
  reason: "effect_confirmed",
  evidence: { call: "accepted", platform_ref: "env_bench", receipt: claim.opId },
  report: "accepted",
  declined: false,
});

/** The ledger as a worker process has it: claims as the schema's owner, everything else within one tenant. */
export interface Ledger {
  readonly owner: Database;
  readonly db: Database;
  close(): Promise<void>;
}

export function openLedger(url: string, workers: number): Ledger {
  const owner = connect(url, { poolMax: workers });
  const db = connect(url, { role: "deadline_worker", poolMax: workers });
  return {
    owner,
    db,
    close: async () => {
      await Promise.all([owner.$disconnect(), db.$disconnect()]);
    },
  };
}

/** Claim, submitting, done through the store's functions, with history, attempts and fence. Operations per second. */
export async function runFullPath(ledger: Ledger, load: Load): Promise<number> {
  const startedMs = performance.now();
  const counts = await Promise.all(
    Array.from({ length: load.workers }, (_, number) =>
      work(ledger, load, { id: randomUUID(), name: `bench-${number}` }),
    ),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  const expected = load.workers * load.cycles * load.batch;
  const finished = counts.reduce((sum, count) => sum + count, 0);
  if (finished !== expected) throw new Error(`${finished} operations finished, not ${expected}`);
  return finished / seconds;
}

async function work(ledger: Ledger, load: Load, worker: Worker): Promise<number> {
  let finished = 0;
  for (let cycle = 0; cycle < load.cycles; cycle += 1) {
    const claims = await claimDue(ledger.owner, claimOptions(worker, load.batch));
    for (const [tenantId, own] of byTenant(claims)) {
      const stored = await asTenant(ledger.db, tenantId, (tx) =>
        storeIntents(tx, tenantId, worker, own.map(intent)),
      );
      const outcomes = own.filter((claim) => stored.has(claim.opId)).map(accepted);
      const took = await asTenant(ledger.db, tenantId, (tx) =>
        writeOutcomes(tx, tenantId, worker.name, outcomes),
      );
      finished += took.size;
    }
  }
  return finished;
}

function byTenant(claims: readonly Claim[]): Map<string, Claim[]> {
  const parts = new Map<string, Claim[]>();
  for (const claim of claims) {
    parts.set(claim.tenantId, [...(parts.get(claim.tenantId) ?? []), claim]);
  }
  return parts;
}
