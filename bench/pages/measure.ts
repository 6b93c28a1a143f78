import { quantile } from "@/bench/claims/figure";
import { DEADLINE_ORDERS } from "@/lib/domain/deadline-order";
import { deadlinesPage } from "@/lib/queries/deadlines-page";
import { DeadlinesQuerySchema } from "@/lib/queries/deadlines-query";
import { operationPage } from "@/lib/queries/operation-page";
import { operationsPage } from "@/lib/queries/operations-page";
import { OperationsQuerySchema } from "@/lib/queries/operations-query";
import { askedRequests, RequestsQuerySchema } from "@/lib/queries/page-query";
import { pulse } from "@/lib/queries/pulse";
import { requestsPage } from "@/lib/queries/requests-page";
import type { Database } from "@/lib/store/db";
import type { Stock } from "./fill";

/** A database of one size: `db` is what the console has, with the role and the row-level security of the console. */
export interface Side {
  readonly db: Database;
  readonly stock: Stock;
}

export const PAGES = [
  "list",
  "filtered_list",
  "operation",
  "deadlines",
  "requests",
  "pulse",
] as const;
export type Page = (typeof PAGES)[number];

export interface Times {
  readonly small: number;
  readonly large: number;
}

const WARM_UP = 20;

/** Nothing is sealed in the bench. */
const NO_KEY = Buffer.alloc(32);

/**
 * The 95th percentile of each page's queries on either side, in milliseconds. Both sides answer in turn, so that what
 * the machine does beside meets both, and every page is asked for in the variants that its address allows.
 */
export async function measurePages(
  small: Side,
  large: Side,
  samples: number,
): Promise<ReadonlyMap<Page, Times>> {
  const found = new Map<Page, Times>();
  for (const page of PAGES) {
    const took: [number[], number[]] = [[], []];
    for (let sample = 0; sample < WARM_UP + samples; sample += 1) {
      const pair = [await timeOf(small, page, sample), await timeOf(large, page, sample)] as const;
      if (sample < WARM_UP) continue;
      took[0].push(pair[0]);
      took[1].push(pair[1]);
    }
    found.set(page, { small: quantile(took[0], 0.95), large: quantile(took[1], 0.95) });
  }
  return found;
}

async function timeOf(side: Side, page: Page, sample: number): Promise<number> {
  const startedMs = performance.now();
  await OPEN[page](side, sample);
  return performance.now() - startedMs;
}

/** Every second view is the large tenant's, which holds a tenth of the history. */
function tenantFor({ stock }: Side, sample: number) {
  const place = sample % 2 === 0 ? 0 : sample % stock.tenants.length;
  const tenant = stock.tenants[place];
  if (!tenant) throw new Error("a bench needs tenants");
  return tenant;
}

function viewerOf({ approverId }: { readonly approverId: string }) {
  return { accountId: approverId, role: "account_manager" as const, seesPayload: true };
}

const FILTERS = [
  { state: "done", kind: "extend" },
  { state: "needs_reconcile" },
  { q: "open_0042" },
  { kind: "remind", sort: "-changed" },
  { state: "failed_terminal", age: ">1d" },
];

const OPEN: Record<Page, (side: Side, sample: number) => Promise<unknown>> = {
  list: (side, sample) =>
    operationsPage(side.db, tenantFor(side, sample).id, OperationsQuerySchema.parse({})),
  filtered_list: (side, sample) =>
    operationsPage(
      side.db,
      tenantFor(side, sample).id,
      OperationsQuerySchema.parse(variant(FILTERS, sample)),
    ),
  operation: async (side, sample) => {
    const { tenant, opId } = variant(side.stock.whole, sample);
    const page = await operationPage(side.db, tenant.id, viewerOf(tenant), opId);
    if (page === null) throw new Error("the operation of the bench is gone");
  },
  deadlines: (side, sample) => {
    const tenant = tenantFor(side, sample);
    const by = variant(DEADLINE_ORDERS, sample);
    const query = DeadlinesQuerySchema.parse(sample % 3 === 0 ? { by, due: "7d" } : { by });
    return deadlinesPage(side.db, tenant.id, viewerOf(tenant), query);
  },
  requests: (side, sample) => {
    const tenant = tenantFor(side, sample);
    const { filter, order } = askedRequests(
      RequestsQuerySchema.parse(sample % 3 === 0 ? { drift: "yes" } : {}),
    );
    return requestsPage(side.db, tenant.id, tenant.approverId, filter, order);
  },
  pulse: (side, sample) => {
    const tenant = tenantFor(side, sample);
    const reader = { db: side.db, vaultKey: NO_KEY };
    return pulse(reader, tenant.id, { id: tenant.approverId, role: "account_manager" });
  },
};

/** Half the samples of a variant are the large tenant's, so the variants change every second sample. */
function variant<Value>(all: readonly Value[], sample: number): Value {
  const found = all[Math.floor(sample / 2) % all.length];
  if (found === undefined) throw new Error("nothing to choose from");
  return found;
}
