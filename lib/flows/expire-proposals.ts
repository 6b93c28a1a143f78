import { type Database, whenDeadlockedAgain } from "@/lib/store/db";
import { endExpiredProposals } from "@/lib/store/proposals";

/** Few enough that one statement holds its locks for a moment only. */
const BATCH = 200;

/**
 * One pass over proposals whose time to be approved is over: they end as `approval_expired` (AP-2). Returns how many
 * ended; as long as it is the full batch there may be more. Needs a connection that sees every tenant.
 */
export async function expireProposals(db: Database): Promise<number> {
  return whenDeadlockedAgain(() => endExpiredProposals(db, BATCH));
}
