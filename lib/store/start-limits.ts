import type { Db } from "./db";
import type { PauseRow } from "./pauses";

/** The rate, in starts per minute, at which the ramp of a switch is over: the limit of its connection or tenant. */
export async function startLimitOf(
  db: Db,
  tenantId: string,
  pause: Pick<PauseRow, "connectionId">,
): Promise<number> {
  const [row] = await db.$queryRaw<{ limit: number }[]>`
    SELECT calls_per_minute AS "limit" FROM effective_limits(${tenantId}::uuid)
    WHERE connection_id IS NOT DISTINCT FROM ${pause.connectionId}::uuid`;
  if (!row) throw new Error("a tenant or connection without limits");
  return row.limit;
}
