import { randomUUID } from "node:crypto";
import type { DecisionCode, DecisionOption, DecisionOutcome } from "@/lib/domain/decision";
import {
  decisionFactsOf,
  factsHash,
  familyOfMatter,
  type Matter,
} from "@/lib/domain/decision-matter";
import { decisionOptions, optionAmong } from "@/lib/domain/decision-options";
import { decisionWord } from "@/lib/domain/decision-words";
import { invariant } from "@/lib/domain/invariant";
import { Refusal } from "@/lib/domain/refusal";
import { mayAct } from "@/lib/domain/review-act";
import { ROLE_LABELS } from "@/lib/domain/role";
import { asTenant, type Tx } from "@/lib/store/db";
import { loadMatter, lockItem } from "@/lib/store/decision-matter";
import {
  type DecisionRow,
  decisionById,
  insertDecision,
  liveDecisionOf,
  markSecondPerson,
} from "@/lib/store/decisions";
import { closeItem } from "@/lib/store/decisions-taken";
import { recordAct } from "@/lib/store/review-acts";
import { storeText, textSubjectOf, type VaultEntryRef } from "@/lib/store/vault";
import type { Actor, ConsoleContext } from "./context";
import { actElsewhere, isActedElsewhere } from "./decide-elsewhere";
import { decisionReason } from "./decision-reason";
import { refuseSignedExtras } from "./decision-reference";
import { type Person, permitPerson } from "./permit";
import { tellSecondPerson } from "./second-person";

export interface DecisionWish {
  readonly itemId: string;
  readonly option: DecisionCode;
  readonly reason: string;
  /** The hash of the facts that were on screen. */
  readonly expected: string;
  /** The platform's reference that was chosen or entered; null where the option needs none. */
  readonly kept?: string | null;
  /** References with a signature that were typed, so that their void is proposed too. */
  readonly voidsTyped?: readonly string[];
}

export interface Decided {
  readonly decisionId: string;
  readonly outcome: DecisionOutcome;
}

/**
 * Decides about a review item (RV-3). Nothing is decided yet when the option needs a fresh read: a worker reads, and
 * the decision stands only if the read agrees. Of two people who decide at once one is told of the other. Throws
 * Refusal, having changed nothing.
 */
export async function decideItem(
  ctx: ConsoleContext,
  actor: Actor,
  wish: DecisionWish,
): Promise<Decided> {
  const person = permitPerson(actor, "review.decide");
  decisionReason(wish.reason);
  const { tenantId } = actor;
  if (isActedElsewhere(wish.option)) {
    const matter = await asTenant(ctx.db, tenantId, (tx) => judgedWish(tx, tenantId, person, wish));
    if ("decisionId" in matter) return matter;
    await actElsewhere(ctx, actor, wish.option, matter.matter, wish.reason);
  }
  return asTenant(ctx.db, tenantId, async (tx) => {
    const judged = await judgedWish(tx, tenantId, person, wish);
    if ("decisionId" in judged) return judged;
    const subject = textSubjectOf(tenantId, judged.matter.request?.ref ?? `item:${wish.itemId}`);
    const reason = await storeText(tx, { tenantId, vaultKey: ctx.vaultKey }, subject, wish.reason);
    return record(tx, tenantId, person, { ...judged, wish, reason });
  });
}

interface JudgedWish {
  readonly matter: Matter;
  readonly option: DecisionOption;
}

/** The item and the option, both fit to be decided now; or the own decision that a second click repeats (AP-4). */
async function judgedWish(
  tx: Tx,
  tenantId: string,
  person: Person,
  wish: DecisionWish,
): Promise<JudgedWish | Decided> {
  if (!(await lockItem(tx, tenantId, wish.itemId))) throw new Refusal("not_found");
  const matter = await loadMatter(tx, tenantId, wish.itemId);
  invariant(matter, "a locked item is there");
  if (!mayAct(matter, person)) throw new Refusal("not_permitted");
  const repeated = await refuseDecided(tx, tenantId, person, matter, wish);
  if (repeated) return repeated;
  const acted = isActedElsewhere(wish.option) && matter.settledAt !== null;
  if (acted) return { matter, option: actedOption(wish.option) };
  if (matter.settledAt !== null) throw new Refusal("item_settled");
  if (factsHash(matter) !== wish.expected) throw new Refusal("item_changed");
  const option = optionAmong(decisionOptions(decisionFactsOf(matter, person.role)), wish.option);
  refuseClosed(option);
  if (option.reference !== null && !wish.kept) throw new Refusal("reference_needed");
  if (option.code === "keep_one") await refuseSignedExtras(tx, tenantId, matter, wish);
  return { matter, option };
}

/** What the normal path has settled by the person's own act: the decision is only written down. */
function actedOption(code: DecisionCode): DecisionOption {
  return {
    code,
    open: true,
    closedBecause: null,
    opensAt: null,
    needsRead: false,
    overridable: false,
    secondPerson: false,
    reference: null,
  };
}

function refuseClosed(option: DecisionOption | null): asserts option is DecisionOption {
  if (option === null) throw new Refusal("decision_unknown");
  if (option.open) return;
  throw new Refusal(option.closedBecause ?? "decision_unknown", {
    values: { moment: option.opensAt },
    extensions: { opens_at: option.opensAt },
  });
}

/** Throws Refusal when somebody else has decided or is deciding; the own decision under way is answered again. */
async function refuseDecided(
  tx: Tx,
  tenantId: string,
  { accountId }: Person,
  matter: Matter,
  wish: DecisionWish,
): Promise<Decided | null> {
  const live = await liveDecisionOf(tx, tenantId, matter.itemId);
  if (live !== null) {
    if (live.decidedBy === accountId && live.option === wish.option) {
      return { decisionId: live.id, outcome: live.outcome };
    }
    throw toldOf("decision_under_way", live);
  }
  if (matter.closedAt === null) return null;
  const closing = await closingDecision(tx, tenantId, matter.itemId);
  throw closing === null ? new Refusal("item_closed") : toldOf("already_decided", closing);
}

async function closingDecision(
  tx: Tx,
  tenantId: string,
  itemId: string,
): Promise<DecisionRow | null> {
  const item = await tx.reviewItem.findUnique({
    where: { tenantId_id: { tenantId, id: itemId } },
    select: { decisionId: true },
  });
  return item?.decisionId ? decisionById(tx, tenantId, item.decisionId) : null;
}

function toldOf(code: "decision_under_way" | "already_decided", decision: DecisionRow): Refusal {
  const role = ROLE_LABELS[decision.decidedRole];
  const who = `${/^[aeiou]/.test(role) ? "An" : "A"} ${role}`;
  return new Refusal(code, {
    values: {
      role: who,
      moment: decision.at.toISOString(),
      decision: decisionWord(decision.option, decision.family).decided,
    },
    extensions: {
      decision_id: decision.id,
      option: decision.option,
      outcome: decision.outcome,
      decided_at: decision.at.toISOString(),
    },
  });
}

interface Recording extends JudgedWish {
  readonly wish: DecisionWish;
  readonly reason: VaultEntryRef;
}

/** How the decision begins: with a worker, with a second person, with a new proposal, or done at once. */
function beginning({ matter, option }: JudgedWish): DecisionOutcome {
  if (option.code === "replace") return "proposal_open";
  if (option.secondPerson) return "second_person";
  // The normal path was asked and has not answered the question: nothing is decided by that.
  if (option.code === "replay") return matter.settledAt === null ? "refused_by_read" : "proven";
  const moves = familyOfMatter(matter) === "operation";
  return option.needsRead || moves ? "reading" : "proven";
}

async function record(
  tx: Tx,
  tenantId: string,
  { accountId, role }: Person,
  recording: Recording,
): Promise<Decided> {
  const { matter, option, wish, reason } = recording;
  const outcome = beginning(recording);
  const decisionId = randomUUID();
  const written = await insertDecision(tx, {
    tenantId,
    id: decisionId,
    itemId: matter.itemId,
    selectionId: null,
    family: familyOfMatter(matter),
    option: option.code,
    kept: wish.kept ?? null,
    voidsTyped: wish.voidsTyped ?? [],
    factsHash: wish.expected,
    needsRead: option.needsRead && !option.secondPerson,
    overridable: option.overridable,
    decidedBy: accountId,
    decidedRole: role,
    reason,
    outcome,
  });
  invariant(written, "of two decisions about one item its lock lets one through");
  await recordAct(tx, tenantId, {
    itemId: matter.itemId,
    actor: `account:${accountId}`,
    act: outcome === "second_person" ? "override_asked" : "decided",
    detail: { decision: decisionId, option: option.code, outcome },
    note: reason,
  });
  if (outcome === "second_person") {
    await markSecondPerson(tx, tenantId, matter.itemId, true);
    await tellSecondPerson(tx, tenantId, matter);
  }
  if (outcome === "proven") {
    const closing = { status: "closed_proven", by: accountId, decisionId } as const;
    await closeItem(tx, tenantId, matter.itemId, closing);
    await recordAct(tx, tenantId, {
      itemId: matter.itemId,
      actor: `account:${accountId}`,
      act: "closed",
      detail: { decision: decisionId, option: option.code, outcome },
      note: null,
    });
  }
  return { decisionId, outcome };
}
