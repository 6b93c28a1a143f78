import { quantile } from "@/bench/claims/figure";
import { historyPage } from "@/lib/queries/history-page";
import { HistoryQuerySchema } from "@/lib/queries/history-query";
import type { Database } from "@/lib/store/db";
import type { Filled } from "./fill";

/** What people ask the history for, in the words of its address. */
type Asked = Readonly<Record<string, string>>;
type Filter = (filled: Filled, sample: number) => Asked;

const QUARTER = { from: "2026-04-01", to: "2026-07-01" };
const who = ({ people }: Filled, sample: number) => ({
  who: `user:${people[sample % people.length]}`,
});

const FILTERS = {
  everything: () => ({}),
  quarter: () => QUARTER,
  person: who,
  person_action_kind_quarter: (filled, sample) => ({
    ...who(filled, sample),
    ...QUARTER,
    action: "approved",
    kind: "extend",
  }),
  person_seldom_action: (filled, sample) => ({ ...who(filled, sample), action: "withdrawn" }),
  reason: () => ({ action: "approved" }),
  seldom_reason: () => ({ action: "rejected_payload" }),
  no_such_reason: () => ({ action: "void_not_applied" }),
  seldom_state: () => ({ state: "failed_terminal" }),
  seldom_kind_quarter: () => ({ kind: "void", ...QUARTER }),
  request: (_, sample) => ({ request: `past_${sample * 37}` }),
  operation: ({ operations }, sample) => ({ op: operations[sample % operations.length] ?? "" }),
  operators: () => ({ source: "operators", action: "contact_revealed", ...QUARTER }),
} satisfies Record<string, Filter>;

export interface ListFigures {
  /** Over all filters, each asked for equally often, in milliseconds. */
  readonly p95: number;
  readonly each: ReadonlyMap<string, number>;
  readonly slowest: { readonly filter: string; readonly p95: number };
}

const WARM_UP = 10;

/** Opens the history page's list as the console does, filter by filter, every second time its second page. */
export async function measureList(
  db: Database,
  filled: Filled,
  samples: number,
): Promise<ListFigures> {
  const all: number[] = [];
  const each = new Map<string, number>();
  for (const [name, filter] of Object.entries<Filter>(FILTERS)) {
    const took: number[] = [];
    for (let sample = 0; sample < WARM_UP + samples; sample += 1) {
      const ms = await timeOf(db, filled, filter(filled, sample), sample % 2 === 1);
      if (sample >= WARM_UP) took.push(ms);
    }
    all.push(...took);
    each.set(name, quantile(took, 0.95));
  }
  const [filter, p95] = [...each].reduce((worst, one) => (one[1] > worst[1] ? one : worst));
  return { p95: quantile(all, 0.95), each, slowest: { filter, p95 } };
}

/** In milliseconds, of the first page or of the one behind it. */
async function timeOf(
  db: Database,
  { tenant, people }: Filled,
  asked: Asked,
  second: boolean,
): Promise<number> {
  const viewer = { accountId: people[0] ?? "", mayProve: true };
  const open = (query: Asked) =>
    historyPage(db, tenant.id, viewer, HistoryQuerySchema.parse(query));
  let query = asked;
  if (second) {
    const { older } = await open(asked);
    if (older !== null) query = { ...asked, after: older };
  }
  const startedMs = performance.now();
  await open(query);
  return performance.now() - startedMs;
}
