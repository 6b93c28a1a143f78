import type { Matter } from "@/lib/domain/decision-matter";
import { invariant } from "@/lib/domain/invariant";
import { Refusal } from "@/lib/domain/refusal";
import { mayAct } from "@/lib/domain/review-act";
import type { Tx } from "@/lib/store/db";
import { loadMatter, lockItem } from "@/lib/store/decision-matter";
import { type DecisionRow, decisionById } from "@/lib/store/decisions";
import { storeText, textSubjectOf, type VaultEntryRef } from "@/lib/store/vault";
import type { ConsoleContext } from "./context";
import type { Person } from "./permit";
import { queueNotice } from "./queue-notice";

export interface DecisionAtHand {
  readonly decision: DecisionRow;
  readonly matter: Matter;
}

/**
 * A decision with its item locked, for somebody who may decide that item. Throws Refusal `not_found`, `not_permitted`.
 */
export async function decisionAtHand(
  tx: Tx,
  tenantId: string,
  person: Person,
  ids: { readonly itemId: string; readonly decisionId: string },
): Promise<DecisionAtHand> {
  if (!(await lockItem(tx, tenantId, ids.itemId))) throw new Refusal("not_found");
  const matter = await loadMatter(tx, tenantId, ids.itemId);
  invariant(matter, "a locked item is there");
  const decision = await decisionById(tx, tenantId, ids.decisionId);
  if (decision === null || decision.itemId !== ids.itemId) throw new Refusal("not_found");
  if (!mayAct(matter, person)) throw new Refusal("not_permitted");
  return { decision, matter };
}

/**
 * Throws Refusal unless this is somebody else than the first person and than whoever the decision reverses (RV-3): the
 * author of an earlier decision about the same operation or item, and the second person of it.
 */
export async function refuseSamePerson(
  tx: Tx,
  tenantId: string,
  { accountId }: Person,
  decision: DecisionRow,
): Promise<void> {
  if (decision.decidedBy === accountId) throw new Refusal("decided_first");
  const earlier =
    decision.reverses === null ? null : await decisionById(tx, tenantId, decision.reverses);
  if (earlier === null) return;
  if (earlier.decidedBy === accountId || earlier.secondBy === accountId) {
    throw new Refusal("reverses_own_decision");
  }
}

/** Puts what somebody typed about an item into the vault, under its request where it has one (SM-3). */
export function keepDecisionText(
  tx: Tx,
  { vaultKey }: ConsoleContext,
  tenantId: string,
  { request, itemId }: Matter,
  text: string,
): Promise<VaultEntryRef> {
  const subject = textSubjectOf(tenantId, request?.ref ?? `item:${itemId}`);
  return storeText(tx, { tenantId, vaultKey }, subject, text);
}

/**
 * Tells those on call that a decision waits for a second person (OB-2): they may confirm every one. In the transaction
 * that asks.
 */
export async function tellSecondPerson(tx: Tx, tenantId: string, matter: Matter): Promise<void> {
  const { itemId, reason, connectionId } = matter;
  await queueNotice(tx, tenantId, {
    matter: ["second_person_wanted", reason, connectionId ?? "none"].join(" "),
    audience: { owner: "team:on-call" },
    kind: "second_person_wanted",
    escalation: false,
    subject: { reason, count: 1, path: `/reviews/${itemId}` },
  });
}
