import { quantile } from "@/bench/claims/figure";
import { alertPass } from "@/lib/flows/alert-pass";
import { reviewListPage } from "@/lib/queries/review-list-page";
import { ReviewsQuerySchema } from "@/lib/queries/review-list-query";
import type { ReviewViewer } from "@/lib/queries/review-rows";
import type { Database } from "@/lib/store/db";
import type { ReviewStock, ReviewTenant } from "./fill";

/** Addresses of the queue as people open them. */
const QUERIES: readonly Readonly<Record<string, string>>[] = [
  {},
  { view: "all" },
  { view: "breached" },
  { view: "critical" },
  { view: "untaken" },
  { view: "settled" },
  { view: "snoozed" },
  { view: "closed" },
  { view: "second_person" },
  { view: "all", reason: "possible_duplicate" },
  { view: "all", consequence: "low", age: "within" },
  { view: "all", team: "team:admins" },
  { view: "all", request: "open_77" },
  { view: "mine", owner: "me" },
];

const WARM_UP = 14;

/** How long the queue's page takes in milliseconds, by the query as it stands in its address. */
export async function measureQueue(
  db: Database,
  { tenants }: ReviewStock,
  samples: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const took = new Map<string, number[]>();
  for (let sample = 0; sample < WARM_UP + samples; sample += 1) {
    const asked = QUERIES[sample % QUERIES.length] ?? {};
    // Every second view is the large tenant's; the second page is asked for as often as the first.
    const tenant = tenants[sample % 2 === 0 ? 0 : Math.floor(sample / 2) % tenants.length];
    if (!tenant) throw new Error("a bench needs tenants");
    const viewer = viewerOf(tenant, sample);
    const first = await timed(db, tenant, viewer, asked);
    const { older } = first.page;
    const times =
      older === null
        ? [first.ms]
        : [first.ms, (await timed(db, tenant, viewer, { ...asked, after: older })).ms];
    if (sample < WARM_UP) continue;
    const name = new URLSearchParams(asked).toString();
    took.set(name, [...(took.get(name) ?? []), ...times]);
  }
  return took;
}

function viewerOf(tenant: ReviewTenant, sample: number): ReviewViewer {
  if (sample % 3 === 0) return { accountId: tenant.approverId, role: "account_manager" };
  return { accountId: tenant.onCallId, role: "on_call" };
}

async function timed(
  db: Database,
  tenant: ReviewTenant,
  viewer: ReviewViewer,
  asked: Readonly<Record<string, string>>,
) {
  const startedMs = performance.now();
  const page = await reviewListPage(db, tenant.id, viewer, ReviewsQuerySchema.parse(asked));
  return { page, ms: performance.now() - startedMs };
}

export interface PassTimes {
  /** Everything is due at once: all items are told of for the first time, over as many passes as it takes. Seconds. */
  readonly firstS: number;
  /** The longest of those passes. Seconds. */
  readonly stormS: number;
  /** A look at all items of which one in a hundred has an alert due. Seconds, the 95th percentile. */
  readonly passS: number;
  /** A look at all items when nothing is due. Seconds, the median. */
  readonly idleS: number;
  /** A pass after rules were saved that move one reason of every tenant. Seconds. */
  readonly routedS: number;
  /** How many items those rules moved. */
  readonly routed: number;
}

/** The alert pass over all open items of all tenants. */
export async function measurePasses(
  owner: Database,
  { tenants }: ReviewStock,
  passes: number,
): Promise<PassTimes> {
  const storm: number[] = [];
  for (let told = 1; told > 0; ) {
    storm.push(
      await secondsOf(async () => {
        told = await alertPass({ owner });
      }),
    );
  }
  const idle: number[] = [];
  const busy: number[] = [];
  for (let pass = 0; pass < passes; pass += 1) {
    idle.push(await secondsOf(() => alertPass({ owner })));
    await owner.$executeRaw`
      UPDATE review_items SET next_alert_at = ledger_now()
      WHERE closed_at IS NULL AND next_alert_at IS NOT NULL AND status IN ('open', 'claimed') AND alert_level > 2
        AND hashtext(id::text || ${String(pass)}) % 100 = 0`;
    busy.push(await secondsOf(() => alertPass({ owner })));
  }
  for (const { id, adminId } of tenants) {
    await owner.$executeRaw`
      INSERT INTO routing_rules (tenant_id, id, position, reason, kind, owner, created_by)
      VALUES (${id}::uuid, gen_random_uuid(), 1, 'neither_old_nor_new', 'void', 'team:admins', ${adminId}::uuid)`;
  }
  const routedS = await secondsOf(() => alertPass({ owner }));
  const [moved] = await owner.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM review_items WHERE routed_by IS NOT NULL AND closed_at IS NULL`;
  return {
    firstS: storm.reduce((sum, took) => sum + took, 0),
    stormS: Math.max(...storm),
    passS: quantile(busy, 0.95),
    idleS: quantile(idle, 0.5),
    routedS,
    routed: moved?.count ?? 0,
  };
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return (performance.now() - startedMs) / 1_000;
}
