import { liftLimits, manyApprovedSends, slowPlatform } from "@/lib/testing/many-sends";
import { waitUntil } from "@/lib/testing/processes";
import { anApprovedSend } from "@/lib/testing/sends";
import { inDays, type ShopTenant, type Workshop } from "@/lib/testing/workshop";

/** How large a run is. */
export interface Size {
  /** Due rows of the tenant with the long list. */
  readonly bulk: number;
  /** Tenants with one row each. */
  readonly small: number;
  /** Due rows of each of two equal tenants, and how many claims of both are counted. */
  readonly equal: number;
  readonly counted: number;
  /** What every call and read at the platform takes longer. */
  readonly callMs: number;
}

async function aTenant(shop: Workshop, { callMs }: Size): Promise<ShopTenant> {
  const tenant = await shop.tenant("exact", { callTimeoutMs: 8_000, leaseMs: 30_000 });
  await liftLimits(shop, tenant);
  await slowPlatform(shop, tenant, callMs);
  return tenant;
}

/**
 * Milliseconds from the approval of the one operation of each small tenant to its claim, while every hand works for
 * the long list. Both moments are the database's, from the operation's history; the commit of the approval lies
 * between them.
 */
export async function pickups(shop: Workshop, size: Size): Promise<number[]> {
  const bulk = await aTenant(shop, size);
  const small: ShopTenant[] = [];
  for (let n = 0; n < size.small; n += 1) small.push(await aTenant(shop, size));
  await manyApprovedSends(shop, bulk, size.bulk);
  await untilClaimed(shop, [bulk], 64);
  const ops: string[] = [];
  for (const tenant of small) ops.push((await anApprovedSend(shop, tenant, inDays(20))).opId);
  await untilClaimed(shop, small, size.small);
  await endBacklog(shop, bulk);
  const rows = await shop.ledger.owner.$queryRaw<{ ms: number }[]>`
    SELECT extract(epoch FROM min(at) FILTER (WHERE to_state = 'claimed')
      - min(at) FILTER (WHERE to_state = 'scheduled'))::float8 * 1000 AS ms
    FROM operation_events WHERE op_id = ANY (${ops}::uuid[]) GROUP BY op_id`;
  return rows.map(({ ms }) => ms);
}

/** Of the claims of two equal tenants with long lists: the difference of their numbers, divided by their mean. */
export async function spread(shop: Workshop, size: Size): Promise<number> {
  const pair = [await aTenant(shop, size), await aTenant(shop, size)] as const;
  for (const tenant of pair) await manyApprovedSends(shop, tenant, size.equal);
  const before = await claimsOf(shop, pair);
  await waitUntil(
    async () => sum(await claimsOf(shop, pair)) - sum(before) >= size.counted && "counted",
    { timeoutMs: 120_000, what: "enough claims are counted" },
  );
  const after = await claimsOf(shop, pair);
  for (const tenant of pair) await endBacklog(shop, tenant);
  const [a = 0, b = 0] = after.map((count, place) => count - (before[place] ?? 0));
  return Math.abs(a - b) / ((a + b) / 2);
}

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);

async function claimsOf({ ledger }: Workshop, tenants: readonly ShopTenant[]): Promise<number[]> {
  const ids = tenants.map(({ tenantId }) => tenantId);
  const rows = await ledger.owner.$queryRaw<{ id: string; n: number }[]>`
    SELECT tenant_id AS id, count(*)::integer AS n FROM operation_events
    WHERE tenant_id = ANY (${ids}::uuid[]) AND to_state = 'claimed' GROUP BY tenant_id`;
  return ids.map((id) => rows.find((row) => row.id === id)?.n ?? 0);
}

async function untilClaimed(
  shop: Workshop,
  tenants: readonly ShopTenant[],
  count: number,
): Promise<void> {
  await waitUntil(async () => sum(await claimsOf(shop, tenants)) >= count && "claimed", {
    timeoutMs: 120_000,
    what: `${count} operations are claimed`,
  });
}

/** Nothing more of the tenant starts. */
async function endBacklog({ ledger }: Workshop, { tenantId }: ShopTenant): Promise<void> {
  await ledger.owner.$executeRaw`
    INSERT INTO pauses (tenant_id, id, scope, paused_by) VALUES (${tenantId}::uuid, gen_random_uuid(), 'tenant', 'user:bench')`;
}
