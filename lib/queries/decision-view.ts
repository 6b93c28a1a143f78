import type { DecisionCode, DecisionOutcome, DifferenceRow } from "@/lib/domain/decision";
import type { DecisionFamily } from "@/lib/domain/decision-family";
import { showsWords } from "@/lib/domain/decision-words";
import type { RefusalCode } from "@/lib/domain/refusal-words";
import { mayAct } from "@/lib/domain/review-act";
import type { Role } from "@/lib/domain/role";
import { asTenant, type Database, type Tx } from "@/lib/store/db";
import { type DecisionRow, decisionById } from "@/lib/store/decisions";
import { resolveShownText } from "@/lib/store/vault";
import { type Person, personsOf } from "./persons";

/** One decision as it is shown to somebody. */
export interface DecisionView {
  readonly id: string;
  readonly itemId: string;
  readonly selectionId: string | null;
  readonly option: DecisionCode;
  readonly family: DecisionFamily;
  readonly outcome: DecisionOutcome;
  readonly at: string;
  readonly by: Person;
  readonly byYou: boolean;
  /** What was typed; null for those who may not act on the item, and after an erasure. */
  readonly reason: string | null;
  /** The platform's reference that was chosen or entered. */
  readonly kept: string | null;
  /** The read that proved it or did not agree. */
  readonly receipt: { readonly id: string; readonly at: string; readonly outcome: string } | null;
  /** What the read means instead, in one sentence, with its code. */
  readonly shows: string | null;
  readonly showsCode: string | null;
  readonly difference: readonly DifferenceRow[] | null;
  /** When a read is free again (PL-7). */
  readonly possibleAt: string | null;
  readonly endedAt: string | null;
  /** Operations that were proposed by it. */
  readonly proposedOps: readonly string[];
  /** The viewer made it and may ask a second person. */
  readonly mayAskSecond: boolean;
  /** The viewer may answer as the second person; otherwise why not. */
  readonly mayConfirm: boolean;
  readonly whyNot: RefusalCode | null;
  readonly second: {
    readonly by: Person;
    readonly byYou: boolean;
    readonly answer: "confirmed" | "refused";
    readonly reason: string | null;
    readonly at: string;
  } | null;
}

/** Who looks at decisions, with the key that opens what was typed. */
export interface DecisionViewer {
  readonly accountId: string;
  readonly role: Role | null;
  readonly vaultKey: Buffer;
}

/** One decision about one item; null when the tenant has none of these ids. */
export async function decisionView(
  db: Database,
  tenantId: string,
  viewer: DecisionViewer,
  ids: { readonly itemId: string; readonly decisionId: string },
): Promise<DecisionView | null> {
  return asTenant(db, tenantId, async (tx) => {
    const row = await decisionById(tx, tenantId, ids.decisionId);
    if (row === null || row.itemId !== ids.itemId) return null;
    const [view] = await viewsOf(tx, tenantId, viewer, [row]);
    return view ?? null;
  });
}

/** Decisions as they are shown, inside the caller's transaction; in the given order. */
export async function viewsOf(
  tx: Tx,
  tenantId: string,
  viewer: DecisionViewer,
  rows: readonly DecisionRow[],
): Promise<readonly DecisionView[]> {
  const names = rows.flatMap(({ decidedBy, secondBy }) =>
    secondBy === null ? [`user:${decidedBy}`] : [`user:${decidedBy}`, `user:${secondBy}`],
  );
  const persons = await personsOf(tx, tenantId, names, viewer.accountId);
  const views: DecisionView[] = [];
  for (const row of rows) views.push(await viewOf(tx, tenantId, viewer, persons, row));
  return views;
}

async function viewOf(
  tx: Tx,
  tenantId: string,
  viewer: DecisionViewer,
  persons: ReadonlyMap<string, Person>,
  row: DecisionRow,
): Promise<DecisionView> {
  const item = await tx.reviewItem.findUniqueOrThrow({
    where: { tenantId_id: { tenantId, id: row.itemId } },
    select: { owner: true, team: true, assignedTo: true },
  });
  const { accountId, role } = viewer;
  const may = role !== null && mayAct(item, { accountId, role });
  const text = (ref: string | null) => (may && ref ? typed(tx, tenantId, viewer, ref) : null);
  const whyNot = may ? await whyNotSecond(tx, tenantId, accountId, row) : "not_permitted";
  const refused = row.outcome === "refused_by_read" || row.outcome === "unreadable";
  return {
    id: row.id,
    itemId: row.itemId,
    selectionId: row.selectionId,
    option: row.option,
    family: row.family,
    outcome: row.outcome,
    at: row.at.toISOString(),
    by: personOf(persons, row.decidedBy),
    byYou: row.decidedBy === accountId,
    reason: await text(row.reasonRef),
    kept: row.kept,
    receipt: await receiptOf(tx, tenantId, row.receiptId),
    shows: row.shows && showsWords(row.shows),
    showsCode: row.shows,
    difference: row.difference === null ? null : (JSON.parse(row.difference) as DifferenceRow[]),
    possibleAt: row.possibleAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    proposedOps: row.proposedOps,
    mayAskSecond: may && refused && row.overridable && row.decidedBy === accountId,
    mayConfirm: row.outcome === "second_person" && whyNot === null,
    whyNot: row.outcome === "second_person" ? whyNot : null,
    second: await secondOf(persons, accountId, row, text),
  };
}

async function typed(
  tx: Tx,
  tenantId: string,
  { vaultKey, accountId }: DecisionViewer,
  ref: string,
): Promise<string | null> {
  const scope = { tenantId, vaultKey };
  const found = await resolveShownText(tx, scope, ref, "decision", `user:${accountId}`);
  return found?.text ?? null;
}

/** Why this person cannot be the second one (RV-3); null when nothing is in the way. */
async function whyNotSecond(
  tx: Tx,
  tenantId: string,
  accountId: string,
  { decidedBy, reverses }: DecisionRow,
): Promise<RefusalCode | null> {
  if (decidedBy === accountId) return "decided_first";
  const earlier = reverses === null ? null : await decisionById(tx, tenantId, reverses);
  if (earlier === null) return null;
  const mine = earlier.decidedBy === accountId || earlier.secondBy === accountId;
  return mine ? "reverses_own_decision" : null;
}

async function receiptOf(
  tx: Tx,
  tenantId: string,
  id: string | null,
): Promise<DecisionView["receipt"]> {
  if (id === null) return null;
  const row = await tx.readReceipt.findUnique({
    where: { tenantId_id: { tenantId, id } },
    select: { id: true, startedAt: true, outcome: true },
  });
  return row && { id: row.id, at: row.startedAt.toISOString(), outcome: row.outcome };
}

async function secondOf(
  persons: ReadonlyMap<string, Person>,
  accountId: string,
  row: DecisionRow,
  text: (ref: string | null) => Promise<string | null> | null,
): Promise<DecisionView["second"]> {
  const { secondBy, secondAnswer, secondAt } = row;
  if (secondBy === null || secondAnswer === null || secondAt === null) return null;
  return {
    by: personOf(persons, secondBy),
    byYou: secondBy === accountId,
    answer: secondAnswer,
    reason: await text(row.secondReasonRef),
    at: secondAt.toISOString(),
  };
}

function personOf(persons: ReadonlyMap<string, Person>, accountId: string): Person {
  const name = `user:${accountId}`;
  return persons.get(name) ?? { name, role: null, mark: "person", you: false };
}
