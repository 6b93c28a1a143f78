import { type TimestampAuthority, timestamp } from "@/lib/providers/timestamp";
import { asTenant } from "@/lib/store/db";
import { insertStamp, unstampedSeals } from "@/lib/store/seal-stamps";
import type { SealContext } from "./seal-chains";

const SEALS = 20;

/**
 * One round of time stamps (SM-4): the newest seal of every tenant is shown to the authority, outside of any
 * transaction. What comes back and passes every check is kept; anything else is logged, and the seal is asked about
 * again in a later round. Returns how many were stamped.
 */
export async function stampSeals(
  context: SealContext,
  authority: TimestampAuthority,
): Promise<number> {
  let stamped = 0;
  for (const seal of await unstampedSeals(context.owner, SEALS)) {
    const { tenantId } = seal;
    const answer = await timestamp(authority, seal.body);
    if (answer.kind === "refused") {
      const { problem: reason } = answer;
      context.log.warn({ event: "stamp_refused", tenant: tenantId, count: seal.seq, reason });
      // An authority that is away is away for every tenant.
      if (reason === "unreachable") break;
      continue;
    }
    const stamp = { authority: authority.name, ...answer };
    await asTenant(context.db, tenantId, (tx) => insertStamp(tx, seal, stamp));
    stamped += 1;
  }
  return stamped;
}
