import { Refusal } from "@/lib/domain/refusal";
import { recordControl } from "@/lib/store/control-events";
import { asTenant, type Tx } from "@/lib/store/db";
import { type Limits, limitsOf, setLimits } from "@/lib/store/limits";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";

export interface LimitsWish extends Limits {
  /** Null for the tenant as a whole. */
  readonly connectionId: string | null;
}

/**
 * Changes the quotas of a connection or of the tenant, and the read budget of a connection (CL-5, PL-7). One admin
 * suffices: a limit delays, it never lets something happen that was not approved. Holds from the next claim on and is
 * recorded with what was there before. The same limits again change nothing and record nothing. Throws Refusal
 * `not_permitted`, `not_found` for a connection of nobody here, `fields_unusable` for reads without a connection.
 */
export async function saveLimits(
  ctx: ConsoleContext,
  actor: Actor,
  wish: LimitsWish,
): Promise<void> {
  permitPerson(actor, "control.limits");
  const { connectionId, inFlightMax, callsPerMinute, readsPerHour } = wish;
  if (connectionId === null && readsPerHour !== null) {
    const sentence = "Reads are counted per connection.";
    throw new Refusal("fields_unusable", { fields: [{ path: "readsPerHour", sentence }] });
  }
  const { tenantId } = actor;
  await asTenant(ctx.db, tenantId, async (tx) => {
    const about = await wordsOf(tx, tenantId, connectionId);
    const from = await limitsOf(tx, tenantId, connectionId);
    const to: Limits = { inFlightMax, callsPerMinute, readsPerHour };
    if (isSame(from, to)) return;
    await setLimits(tx, tenantId, connectionId, to, actorName(actor));
    await recordControl(tx, tenantId, {
      kind: "limits_changed",
      about,
      actor: actorName(actor),
      body: { connectionId, from, to },
    });
  });
}

/** What the record says that it is about. */
async function wordsOf(tx: Tx, tenantId: string, connectionId: string | null): Promise<string> {
  if (connectionId === null) return "this tenant";
  const row = await tx.connection.findUnique({
    where: { tenantId_id: { tenantId, id: connectionId } },
    select: { name: true },
  });
  if (!row) throw new Refusal("not_found");
  return `connection ${row.name}`;
}

function isSame(one: Limits, other: Limits): boolean {
  return (
    one.inFlightMax === other.inFlightMax &&
    one.callsPerMinute === other.callsPerMinute &&
    one.readsPerHour === other.readsPerHour
  );
}
