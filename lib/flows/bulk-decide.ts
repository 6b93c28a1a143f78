import { randomUUID } from "node:crypto";
import type { DecisionCode, DecisionOutcome } from "@/lib/domain/decision";
import {
  decisionFactsOf,
  factsHash,
  familyOfMatter,
  type Matter,
} from "@/lib/domain/decision-matter";
import { decisionOptions, optionAmong } from "@/lib/domain/decision-options";
import { Refusal } from "@/lib/domain/refusal";
import { mayAct } from "@/lib/domain/review-act";
import { asTenant, type Tx } from "@/lib/store/db";
import { loadMatter } from "@/lib/store/decision-matter";
import {
  decideSelection,
  selectedItems,
  selectionById,
  stopSelection,
} from "@/lib/store/decision-selections";
import { insertDecision } from "@/lib/store/decisions";
import { recordAct } from "@/lib/store/review-acts";
import { storeText, textSubjectOf, type VaultEntryRef } from "@/lib/store/vault";
import type { Actor, ConsoleContext } from "./context";
import { decisionReason } from "./decision-reason";
import { type Person, permitPerson } from "./permit";

export interface BulkWish {
  readonly selectionId: string;
  readonly option: DecisionCode;
  readonly reason: string;
}

export interface BulkDecided {
  readonly selectionId: string;
  /** Items whose fresh read is under way or waits for the read budget. */
  readonly started: number;
  /** Items that were closed, decided by somebody else or not open for this decision: they are left as they are. */
  readonly left: number;
}

/** Options that one decision can carry for many: each stands or falls by its own read, and none needs a choice. */
const FOR_MANY: readonly DecisionCode[] = [
  "applied",
  "not_needed",
  "not_applied",
  "schedule_again",
  "accept_platform",
  "corrected",
  "keep_evidence",
];

/**
 * Decides all items of a frozen selection with one reason (RV-3): each gets a decision of its own that its own fresh
 * read proves or not, worked within the read budget. Throws Refusal `selection_decided` when it has its decision
 * already, `decision_unknown` for one that needs a choice for each item.
 */
export async function bulkDecide(
  ctx: ConsoleContext,
  actor: Actor,
  { selectionId, option, reason }: BulkWish,
): Promise<BulkDecided> {
  const person = permitPerson(actor, "review.decide");
  decisionReason(reason);
  if (!FOR_MANY.includes(option)) throw new Refusal("decision_unknown");
  const { tenantId } = actor;
  const { kept, items } = await asTenant(ctx.db, tenantId, async (tx) => {
    if (!(await selectionById(tx, tenantId, selectionId))) throw new Refusal("not_found");
    const subject = textSubjectOf(tenantId, `selection:${selectionId}`);
    const kept = await storeText(tx, { tenantId, vaultKey: ctx.vaultKey }, subject, reason);
    const decision = { option, by: person.accountId, reason: kept };
    if (!(await decideSelection(tx, tenantId, selectionId, decision))) {
      throw new Refusal("selection_decided");
    }
    return { kept, items: await selectedItems(tx, tenantId, selectionId) };
  });
  let started = 0;
  for (let from = 0; from < items.length; from += TOGETHER) {
    const ids = items.slice(from, from + TOGETHER);
    started += await asTenant(ctx.db, tenantId, (tx) =>
      beginAll(tx, tenantId, person, { ids, selectionId, option, reason: kept }),
    );
  }
  return { selectionId, started, left: items.length - started };
}

/** In one transaction; an item whose turn never came counts as not attempted. */
const TOGETHER = 50;

async function beginAll(
  tx: Tx,
  tenantId: string,
  person: Person,
  { ids, ...one }: Omit<BulkOne, "itemId"> & { readonly ids: readonly string[] },
): Promise<number> {
  let begun = 0;
  for (const itemId of ids) if (await begin(tx, tenantId, person, { ...one, itemId })) begun += 1;
  return begun;
}

interface BulkOne {
  readonly itemId: string;
  readonly selectionId: string;
  readonly option: DecisionCode;
  readonly reason: VaultEntryRef;
}

/** False when this item is not attempted: it is closed, somebody else decides it, or the option is closed for it. */
async function begin(tx: Tx, tenantId: string, person: Person, one: BulkOne): Promise<boolean> {
  const matter = await loadMatter(tx, tenantId, one.itemId);
  if (matter === null || !mayAct(matter, person)) return false;
  const options = decisionOptions(decisionFactsOf(matter, person.role));
  const option = optionAmong(options, one.option);
  if (!option?.open || option.reference !== null || option.secondPerson) return false;
  const id = randomUUID();
  const written = await insertDecision(tx, {
    tenantId,
    id,
    itemId: one.itemId,
    selectionId: one.selectionId,
    family: familyOfMatter(matter),
    option: one.option,
    kept: null,
    voidsTyped: [],
    factsHash: factsHash(matter),
    needsRead: option.needsRead,
    overridable: option.overridable,
    decidedBy: person.accountId,
    decidedRole: person.role,
    reason: one.reason,
    outcome: BEGINS,
  });
  if (written) await tellBegun(tx, tenantId, person, matter, id, one);
  return written;
}

const BEGINS: DecisionOutcome = "reading";

async function tellBegun(
  tx: Tx,
  tenantId: string,
  { accountId }: Person,
  { itemId }: Matter,
  decision: string,
  { option, selectionId, reason }: BulkOne,
): Promise<void> {
  await recordAct(tx, tenantId, {
    itemId,
    actor: `account:${accountId}`,
    act: "decided",
    detail: { decision, option, outcome: BEGINS, selection: selectionId },
    note: reason,
  });
}

/** Stops a bulk decision: items whose read has not begun are not attempted. Throws Refusal `not_found`. */
export async function stopBulk(
  ctx: ConsoleContext,
  actor: Actor,
  selectionId: string,
): Promise<{ readonly stopped: number }> {
  const { accountId } = permitPerson(actor, "review.decide");
  const { tenantId } = actor;
  return asTenant(ctx.db, tenantId, async (tx) => {
    if (!(await selectionById(tx, tenantId, selectionId))) throw new Refusal("not_found");
    return { stopped: await stopSelection(tx, tenantId, selectionId, accountId) };
  });
}
