import { waitUntil } from "./processes";
import { pauseNow, twoOnCall } from "./switches";
import { killWorker, startWorker, type WorkerProcess } from "./worker-process";
import {
  anApprovedExtension,
  aRealRequest,
  effectsOf,
  inDays,
  type ShopTenant,
  type Workshop,
} from "./workshop";

export interface KillSwitchRun {
  readonly tenant: ShopTenant;
  readonly workers: readonly WorkerProcess[];
  readonly pauseId: string;
  readonly total: number;
  /** Effects at the platform before the switch was thrown, at least. */
  readonly before: number;
  /** Milliseconds from the switch to the last call that the platform received; 0 when none came later. */
  readonly killSwitchMs: number;
  /** Milliseconds from the switch to the last intent that was stored; null when none was stored later. */
  readonly lastIntentMs: number | null;
}

/**
 * Lets real worker processes run into a backlog at full speed, throws the switch in the middle and waits until what
 * was under way has ended. All times are of one clock, that of the PostgreSQL server on which ledger and sandbox both
 * stand: the switch counts from its own statement, before its commit, and a call from the moment at which the platform
 * has taken it down, after its arrival. So the figure is never too small. Whoever calls ends the workers.
 */
export async function throwKillSwitch(
  shop: Workshop,
  { workers: count, operations }: { readonly workers: number; readonly operations: number },
): Promise<KillSwitchRun> {
  const tenant = await shop.tenant("exact", { callTimeoutMs: 8_000, leaseMs: 30_000 });
  await withoutLimits(shop, tenant);
  const { first } = await twoOnCall(shop, tenant);
  await backlog(shop, tenant, operations);
  const workers = await Promise.all(
    Array.from({ length: count }, (_, place) => startWorker(shop, `kill-${place + 1}`)),
  );
  const before = await waitUntil(
    async () => {
      const effects = await extensions(shop, tenant);
      return effects.length >= operations / 8 && effects.length;
    },
    { timeoutMs: 60_000, what: "the workers are at full speed" },
  );
  const pauseId = await pauseNow(shop, first, {
    scope: "connection",
    connectionId: tenant.connectionId,
  });
  await untilAtRest(shop, tenant);
  return { tenant, workers, pauseId, total: operations, before, ...(await delays(shop, tenant)) };
}

/** Ends the workers of a run. */
export async function endWorkers(workers: readonly WorkerProcess[]): Promise<void> {
  await Promise.all(workers.map(killWorker));
}

/** Every extension that the platform has made for the tenant. */
export function extensions(shop: Workshop, tenant: ShopTenant) {
  return effectsOf(shop, tenant, { kind: "extended" });
}

async function backlog(shop: Workshop, tenant: ShopTenant, operations: number): Promise<void> {
  const target = inDays(10);
  const lane = async (from: number) => {
    for (let n = from; n < operations; n += LANES) {
      const request = await aRealRequest(shop, tenant, inDays(3));
      await anApprovedExtension(shop, tenant, request, target);
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, from) => lane(from)));
}

/** More at once only make each other time out on a busy machine. */
const LANES = 2;

/** No quota slows the workers: only the switch stops them. */
async function withoutLimits({ ledger }: Workshop, tenant: ShopTenant): Promise<void> {
  const { tenantId, connectionId } = tenant;
  const limits = { inFlightMax: 100_000, callsPerMinute: 100_000, changedBy: "system:test" };
  await ledger.owner.tenantLimit.create({ data: { tenantId, ...limits } });
  await ledger.owner.connectionLimit.create({ data: { tenantId, connectionId, ...limits } });
}

/** Waits until nothing is claimed, under way or unknown any more. */
export async function untilAtRest({ ledger }: Workshop, { tenantId }: ShopTenant): Promise<void> {
  await waitUntil(
    async () => {
      const moving = await ledger.owner.operation.count({
        where: {
          tenantId,
          state: { in: ["claimed", "submitting", "needs_reconcile", "reconciling"] },
        },
      });
      return moving === 0;
    },
    { timeoutMs: 60_000, what: "what was under way has ended" },
  );
}

async function delays(shop: Workshop, tenant: ShopTenant) {
  const { tenantId } = tenant;
  const [row] = await shop.ledger.owner.$queryRaw<
    { pausedAt: Date; lastIntentMs: number | null }[]
  >`
    SELECT p.paused_at AS "pausedAt", (
      SELECT extract(epoch FROM max(a.intent_at) - p.paused_at)::float8 * 1000 FROM attempts a
      WHERE a.tenant_id = p.tenant_id AND a.intent_at > p.paused_at) AS "lastIntentMs"
    FROM pauses p WHERE p.tenant_id = ${tenantId}::uuid`;
  if (!row) throw new Error("the switch was thrown");
  const late = (await extensions(shop, tenant)).map(
    (effect) => Date.parse(effect.recorded_at) - row.pausedAt.getTime(),
  );
  return { killSwitchMs: Math.max(0, ...late), lastIntentMs: row.lastIntentMs };
}
