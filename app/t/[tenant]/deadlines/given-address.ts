import { knownQuery } from "@/app/t/[tenant]/list-address";
import { type DeadlinesQuery, DeadlinesQuerySchema } from "@/lib/queries/deadlines-query";
import { type Address, DEADLINE_VIEWS } from "./address";

type Given = Readonly<Record<string, string | string[] | undefined>>;

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** Reads the page's address; what it does not understand is left out, so that an old link still opens the page. */
export function givenAddress(given: Given): {
  readonly address: Address;
  readonly query: DeadlinesQuery;
} {
  const query = knownQuery(given, DeadlinesQuerySchema);
  const { also: _also, ...known } = query;
  const texts = Object.entries(known).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const { view, month } = given;
  const address: Address = {
    ...Object.fromEntries(texts),
    ...(DEADLINE_VIEWS.some((each) => each === view) ? { view: String(view) } : {}),
    ...(typeof month === "string" && MONTH.test(month) ? { month } : {}),
  };
  return { address, query };
}
