import type { Polling } from "@/lib/domain/connection-acts";
import { Refusal } from "@/lib/domain/refusal";
import { setPolling } from "@/lib/store/connections";
import { recordControl } from "@/lib/store/control-events";
import { asTenant } from "@/lib/store/db";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";

export interface PollingWish {
  readonly connectionId: string;
  readonly polling: Polling;
  /** Minutes without an authentic delivery after which `when_silent` polls. */
  readonly silentAfterMinutes: number;
}

const MINUTE_MS = 60_000;

/**
 * Sets how the platform of a connection is polled (IN-7), from the next round on. The same again changes nothing and
 * records nothing. Throws Refusal `not_found`, `not_permitted`.
 */
export async function savePolling(
  ctx: ConsoleContext,
  actor: Actor,
  { connectionId, polling, silentAfterMinutes }: PollingWish,
): Promise<void> {
  permitPerson(actor, "connection.save");
  const { tenantId } = actor;
  await asTenant(ctx.db, tenantId, async (tx) => {
    const silentAfterMs = silentAfterMinutes * MINUTE_MS;
    const before = await setPolling(tx, tenantId, connectionId, { polling, silentAfterMs });
    if (!before) throw new Refusal("not_found");
    if (before.polling === polling && before.silentAfterMs === silentAfterMs) return;
    await recordControl(tx, tenantId, {
      kind: "polling_changed",
      about: `connection:${connectionId}`,
      actor: actorName(actor),
      body: { from: before.polling, to: polling, silent_after_minutes: silentAfterMinutes },
    });
  });
}
