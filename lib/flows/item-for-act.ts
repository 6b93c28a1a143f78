import { Refusal } from "@/lib/domain/refusal";
import { ACT_FROM, type ItemAct, mayAct, ownsItem } from "@/lib/domain/review-act";
import { accountOf, isTeam } from "@/lib/domain/team";
import { clockWords, ownerWords } from "@/lib/domain/waiting";
import { REVIEW_WORDS } from "@/lib/domain/words";
import { ledgerNow, type Tx } from "@/lib/store/db";
import { type ItemInQueue, itemInQueue } from "@/lib/store/review-life";
import { activeMembers } from "@/lib/store/routing";
import type { Actor } from "./context";
import { type Person, permitPerson } from "./permit";

/** An item that this person may act on, with the time of the ledger. */
export interface ItemForAct {
  readonly item: ItemInQueue;
  readonly person: Person;
  /** RFC 3339 in UTC. */
  readonly now: string;
}

/**
 * The item of an act, once it is known that this person may act on it and that its status allows it. Throws Refusal
 * `not_permitted`, `not_found`, `item_not_yours`, `item_closed`, `item_moved`.
 */
export async function itemForAct(
  tx: Tx,
  actor: Actor,
  itemId: string,
  act: ItemAct,
): Promise<ItemForAct> {
  const person = permitPerson(actor, "review.act");
  const item = await itemInQueue(tx, actor.tenantId, itemId);
  if (item === null) throw new Refusal("not_found");
  const may = act === "see" ? ownsItem(item, person) : mayAct(item, person);
  if (!may) throw new Refusal("item_not_yours", { values: { who: ownerWords(item.owner) } });
  refuseByStatus(item, act);
  return { item, person, now: (await ledgerNow(tx)).toISOString() };
}

function refuseByStatus(item: ItemInQueue, act: ItemAct): void {
  if (item.closedAt !== null) throw new Refusal("item_closed");
  if (ACT_FROM[act].includes(item.status)) return;
  throw new Refusal("item_moved", { values: { status: REVIEW_WORDS[item.status].label } });
}

/**
 * Tells the one who came second what became of the item meanwhile; called when a conditional change met no row. Always
 * throws: `item_taken` with who has it, or what `itemForAct` says of its present status.
 */
export async function refuseLateAct(
  tx: Tx,
  actor: Actor,
  itemId: string,
  act: ItemAct,
): Promise<never> {
  const { item, now } = await itemForAct(tx, actor, itemId, act);
  const moment = item.assignedAt === null ? null : clockWords(item.assignedAt.toISOString(), now);
  throw new Refusal("item_taken", {
    values: { who: ownerWords(item.owner), moment },
    extensions: { owner: item.owner },
  });
}

/** Throws Refusal `owner_unknown` unless the owner is a team or an active member. */
export async function refuseUnknownOwner(tx: Tx, tenantId: string, owner: string): Promise<void> {
  if (isTeam(owner)) return;
  const account = accountOf(owner);
  const members = await activeMembers(tx, tenantId);
  if (members.some(({ accountId }) => accountId === account)) return;
  throw new Refusal("owner_unknown", { values: { owner: ownerWords(owner) } });
}
