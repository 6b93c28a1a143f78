import { START_LIMIT_DEFAULT } from "@/lib/domain/ramp";
import type { Db } from "./db";
import type { PauseRow } from "./pauses";

/** How many starts per minute the scope of a switch may reach; the default where nobody has set a limit. */
export async function startLimitOf(
  _db: Db,
  _tenantId: string,
  _pause: Pick<PauseRow, "connectionId">,
): Promise<number> {
  return START_LIMIT_DEFAULT;
}
