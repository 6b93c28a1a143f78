import type { DifferenceRow } from "@/lib/domain/decision";
import { differenceOf } from "@/lib/domain/decision-difference";
import { lookPhaseOf, subjectOf } from "@/lib/domain/decision-matter";
import { type DecisionVerdict, decisionVerdict, unsentMove } from "@/lib/domain/decision-verdict";
import { isTerminal, type Observation, type PlatformRequest } from "@/lib/domain/observation";
import type { Tx } from "@/lib/store/db";
import type { TakenDecision } from "@/lib/store/decisions-taken";
import { lockForSweep } from "@/lib/store/drift-sweeps";
import { clocksApart } from "./drift-reviews";
import { keepDecisionReading, type ReadBasis } from "./read-for-decision";
import type { Reading } from "./read-platform";

export interface Judged {
  readonly verdict: DecisionVerdict;
  readonly receiptId: string | null;
  readonly difference: readonly DifferenceRow[];
}

/** Keeps the fresh read and says what it means for the decision (RV-3), in the caller's transaction. */
export async function judgeDecision(
  tx: Tx,
  taken: TakenDecision,
  basis: ReadBasis,
  reading: Reading | null,
): Promise<Judged> {
  const { matter } = basis;
  if (!taken.needsRead) {
    const move = taken.family === "operation" ? unsentMove(taken.option) : null;
    return { verdict: { kind: "agrees", move }, receiptId: null, difference: [] };
  }
  if (reading === null) return { verdict: UNREADABLE, receiptId: null, difference: [] };
  const difference = differenceOf(matter, reading.observation, null);
  const receiptId = await keepDecisionReading(tx, taken.tenantId, basis, taken.kept, reading);
  const subject = subjectOf(matter, taken.kept);
  const verdict =
    subject === null
      ? await aboutRequest(tx, taken, basis, reading.observation)
      : aboutOperation(taken, basis, subject, reading);
  return { verdict, receiptId, difference };
}

const UNREADABLE: DecisionVerdict = { kind: "unreadable" };
const STANDS: DecisionVerdict = { kind: "agrees", move: null };

function aboutOperation(
  { option }: TakenDecision,
  { matter }: ReadBasis,
  subject: NonNullable<ReturnType<typeof subjectOf>>,
  { observation, startedAt }: Reading,
): DecisionVerdict {
  return decisionVerdict(option, subject, lookPhaseOf(matter, startedAt.getTime()), observation);
}

/** An item about a request as a whole: the read is the mirror now, or shows that something was put right. */
async function aboutRequest(
  tx: Tx,
  { option, tenantId }: TakenDecision,
  { matter }: ReadBasis,
  observation: Observation,
): Promise<DecisionVerdict> {
  switch (observation.kind) {
    case "declined":
    case "unreadable":
      return UNREADABLE;
    case "not_found":
      return matter.reason === "drift_missing"
        ? STANDS
        : { kind: "disagrees", shows: "drift_missing" };
    case "read": {
      const [request] = observation.matches;
      if (!request) return { kind: "disagrees", shows: "drift_missing" };
      if (option !== "corrected") return STANDS;
      return correctedBy(tx, tenantId, matter.reason, matter.request?.ref ?? "", request);
    }
  }
}

async function correctedBy(
  tx: Tx,
  tenantId: string,
  reason: string,
  ref: string,
  request: PlatformRequest,
): Promise<DecisionVerdict> {
  if (isTerminal(request.status)) return STANDS;
  if (reason === "platform_also_reminds") {
    return request.platformReminders === true
      ? { kind: "disagrees", shows: "platform_also_reminds" }
      : STANDS;
  }
  const held = await lockForSweep(tx, tenantId, ref);
  const { status, expiresAt } = request;
  const apart = held && (await clocksApart(tx, tenantId, held, { status, expiresAt }));
  return apart ? { kind: "disagrees", shows: "clocks_disagree" } : STANDS;
}
