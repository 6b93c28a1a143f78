import { makePacks } from "@/lib/flows/make-packs";
import { runChecks } from "@/lib/flows/run-checks";
import { sealChains } from "@/lib/flows/seal-chains";
import { stampSeals } from "@/lib/flows/stamp-seals";
import type { WorkerContext } from "@/lib/flows/worker-context";
import { proofSettings } from "@/lib/runtime/proof";
import { loop } from "./loop";

const SEALS_REST_MS = 30_000;
const STAMPS_REST_MS = 30_000;
const CHECKS_REST_MS = 2_000;
const PACKS_REST_MS = 2_000;

/** Seals the history, has seals stamped, checks it and makes evidence packs (SM-4, SM-6), until `signal`. */
export async function proving(context: WorkerContext, signal: AbortSignal): Promise<void> {
  const { seals, authority } = proofSettings();
  const shared = { signal, log: context.log };
  const loops = [
    loop(() => sealChains(context, seals), { ...shared, name: "seals", restMs: SEALS_REST_MS }),
    loop(() => runChecks(context), { ...shared, name: "checks", restMs: CHECKS_REST_MS }),
    loop(() => makePacks(context), { ...shared, name: "packs", restMs: PACKS_REST_MS }),
  ];
  if (authority !== null) {
    const stamp = () => stampSeals(context, authority);
    loops.push(loop(stamp, { ...shared, name: "stamps", restMs: STAMPS_REST_MS }));
  }
  await Promise.all(loops);
}
