import { type FieldProblem, Refusal } from "@/lib/domain/refusal";
import type { Shift } from "@/lib/domain/rota";
import { roleOfTeam } from "@/lib/domain/team";
import { epochOf } from "@/lib/domain/zone";
import { recordControl } from "@/lib/store/control-events";
import { asTenant, ledgerNow, type Tx } from "@/lib/store/db";
import { comingShifts, insertShifts, retireShifts, type ShiftRow } from "@/lib/store/rota";
import { activeMembers, lockRouting } from "@/lib/store/routing";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";

/** A shift that shall hold; one that stands in the rota already is named by its id. */
export type WantedShift = Shift & { readonly id?: string | null | undefined };

export interface RotaWish {
  /** All running and coming shifts as they shall be; those left out end. */
  readonly shifts: readonly WantedShift[];
  /** The ids of the shifts that the form showed. */
  readonly seen: readonly string[];
}

/**
 * Puts a rota in force (RV-1): who of each team is on call when. A gap is allowed, the whole team is told then. Past
 * shifts stay on record. Throws Refusal `not_permitted`; `routing_changed` when somebody saved another rota since the
 * form was shown; `fields_unusable` for a shift that has ended, ends before it starts, or names somebody who is not an
 * active member of that team.
 */
export async function saveRota(
  ctx: ConsoleContext,
  actor: Actor,
  wish: RotaWish,
): Promise<{ readonly shifts: number }> {
  const person = permitPerson(actor, "routing.save");
  const { tenantId } = actor;
  return asTenant(ctx.db, tenantId, async (tx) => {
    await lockRouting(tx, tenantId);
    const present = await comingShifts(tx, tenantId);
    const running = new Set(present.map(({ id }) => id));
    const gone = wish.seen.filter((id) => !running.has(id)).length;
    const unseen = present.filter(({ id }) => !wish.seen.includes(id)).length;
    // A shift that ended while the form was open is missing for no fault of anybody.
    if (unseen > 0 || (gone > 0 && wish.shifts.some(({ id }) => id && !running.has(id)))) {
      throw new Refusal("routing_changed");
    }
    await refuseUnusable(tx, tenantId, wish.shifts);
    const kept = present.filter((held) => wish.shifts.some((shift) => isSame(held, shift)));
    const added = wish.shifts.filter((shift) => !present.some((held) => isSame(held, shift)));
    const ended = present.filter((held) => !kept.includes(held)).map(({ id }) => id);
    if (added.length === 0 && ended.length === 0) return { shifts: present.length };
    await retireShifts(tx, tenantId, ended);
    await insertShifts(tx, tenantId, person.accountId, added);
    await recordControl(tx, tenantId, {
      kind: "rota_saved",
      about: "the rota",
      actor: actorName(actor),
      body: { shifts: wish.shifts.length, added: added.length, retired: ended.length },
    });
    return { shifts: wish.shifts.length };
  });
}

function isSame(held: ShiftRow, shift: WantedShift): boolean {
  return (
    held.team === shift.team &&
    held.accountId === shift.accountId &&
    held.startsAt.getTime() === epochOf(shift.startsAt) &&
    held.endsAt.getTime() === epochOf(shift.endsAt)
  );
}

async function refuseUnusable(
  tx: Tx,
  tenantId: string,
  shifts: readonly WantedShift[],
): Promise<void> {
  const members = await activeMembers(tx, tenantId);
  const now = (await ledgerNow(tx)).getTime();
  const fields = shifts.flatMap(({ team, accountId, startsAt, endsAt }, at): FieldProblem[] => {
    const path = (field: string) => `shifts.${at}.${field}`;
    const [start, end] = [epochOf(startsAt), epochOf(endsAt)];
    const role = members.find((member) => member.accountId === accountId)?.role;
    return [
      ...(end <= start ? [{ path: path("endsAt"), sentence: "It ends before it starts." }] : []),
      ...(end <= now ? [{ path: path("endsAt"), sentence: "This shift has ended." }] : []),
      ...(role === roleOfTeam(team)
        ? []
        : [{ path: path("accountId"), sentence: "This is no active member of that team." }]),
    ];
  });
  if (fields.length > 0) throw new Refusal("fields_unusable", { fields });
}
