import { sha256Hex } from "@/lib/domain/canonical";
import { judge } from "@/lib/domain/judge";
import { COMPARE_AFTER_MS, compareShadow, observedWords } from "@/lib/domain/shadow";
import type { Verdict } from "@/lib/domain/verdict";
import { asTenant, type Tx } from "@/lib/store/db";
import { mayRead } from "@/lib/store/read-budget";
import { storeReceipt } from "@/lib/store/receipts";
import {
  dropReplacedShadows,
  shadowBaseline,
  shadowFacts,
  type TakenShadow,
  takeShadows,
  writeComparison,
  writeShadowVerdict,
} from "@/lib/store/shadow-taken";
import type { Hand } from "./hand";
import { keepMirror } from "./keep-mirror";
import { prepareCall } from "./make-call";
import { judgedOf, type Pass } from "./pass";
import { lostAuthorization, passWith } from "./prepare-pass";
import { type Reading, readPlatform } from "./read-platform";
import type { WorkerContext } from "./worker-context";

const BATCH = 10;

/** A record that the platform does not let us judge is tried this long past its time, then it says so. */
const PATIENCE_MS = 3_600_000;

/**
 * Carries shadow records through everything but the call (GO-1): due ones are read, judged and prepared, and later
 * ones are compared with what the platform then shows. Reads count against the budget like those of sweeps. Returns
 * how many records it wrote.
 */
export async function shadowPass(context: WorkerContext): Promise<number> {
  const dropped = await dropReplacedShadows(context.owner);
  const judged = await each(context, "due", judgeRecord);
  const compared = await each(context, "to_compare", compareRecord);
  return dropped + judged + compared;
}

async function each(
  context: WorkerContext,
  what: "due" | "to_compare",
  work: (context: WorkerContext, shadow: Shadow) => Promise<boolean>,
): Promise<number> {
  const askedAtMs = context.clock.elapsedMs();
  const taken = await takeShadows(context.owner, what, BATCH);
  const answeredAtMs = context.clock.elapsedMs();
  const written = await Promise.all(
    taken.map(async (record) => {
      const shadow = { record, hand: { claim: claimLike(record), askedAtMs, answeredAtMs } };
      return (await work(context, shadow)) ? 1 : 0;
    }),
  );
  return written.reduce((sum: number, one) => sum + one, 0);
}

interface Shadow {
  readonly record: TakenShadow;
  readonly hand: Hand;
}

/** A record in the form in which passes know operations. It has no lease: nothing leaves. */
function claimLike(record: TakenShadow): Hand["claim"] {
  const { tenantId, kind, requestRef, connectionId, canonicalText, payloadHash } = record;
  return {
    tenantId,
    opId: record.approvedOpId !== null && record.planId === null ? record.approvedOpId : record.id,
    kind,
    requestRef,
    connectionId,
    canonicalText,
    payloadHash,
    fence: 0,
    attempts: 0,
    declines: 0,
    looks: 0,
    successorOpId: null,
    lateFence: null,
    platformRef: null,
    approvedAt: record.createdAt,
    dueAt: record.dueAt,
    firstIntentAt: null,
    unknownSince: null,
    leaseUntil: record.takenAt,
    claimedAt: record.takenAt,
  };
}

async function judgeRecord(context: WorkerContext, { record, hand }: Shadow): Promise<boolean> {
  const { tenantId, id } = record;
  if (sha256Hex(record.canonicalText) !== record.payloadHash) {
    return asTenant(context.db, tenantId, (tx) => write(tx, record, null, CHANGED_BYTES));
  }
  const pass = await passOf(context, { record, hand });
  if (!(await mayReadNow(context, record))) return false;
  const reading = await readPlatform(context, pass, refOf(pass));
  return asTenant(context.db, tenantId, async (tx) => {
    const receiptId = await keepShadowReading(tx, pass, record, reading);
    const verdict = await verdictOf(tx, context, pass, record, reading);
    if (verdict.to === "scheduled" || verdict.to === "needs_reconcile") {
      // The platform gave no answer to judge by: the record is taken again when its minute is over.
      if (record.takenAt.getTime() < record.dueAt.getTime() + PATIENCE_MS) return false;
    }
    context.log.debug({ event: "shadow_judged", tenant: tenantId, kind: record.kind, op: id });
    return write(tx, record, receiptId, verdict);
  });
}

const CHANGED_BYTES = { to: "needs_review", reason: "stored_bytes_changed" } as const;

function write(
  tx: Tx,
  { tenantId, id }: TakenShadow,
  receiptId: string | null,
  verdict: Verdict,
): Promise<boolean> {
  return writeShadowVerdict(tx, tenantId, {
    id,
    receiptId,
    wouldAct: verdict.to === "act",
    verdict: verdict.to,
    reason: verdict.to === "act" ? null : verdict.reason,
    compareAfterMs: COMPARE_AFTER_MS,
  });
}

function passOf(context: WorkerContext, { record, hand }: Shadow): Promise<Pass> {
  return asTenant(context.db, record.tenantId, async (tx) =>
    passWith(tx, context, hand, await shadowFacts(tx, record.tenantId, record)),
  );
}

/** Without a read left the record waits for its next turn: operations come before shadows (PL-7). */
async function mayReadNow(context: WorkerContext, record: TakenShadow): Promise<boolean> {
  const { tenantId, connectionId } = record;
  const answer = await asTenant(context.db, tenantId, (tx) =>
    mayRead(tx, tenantId, connectionId, "sweep"),
  );
  return answer.may;
}

function refOf(pass: Pass): string | null {
  return pass.payload.kind === "send" ? null : pass.platformRef;
}

/** The approval, the judge and the vault are asked as for a real operation; what is prepared is thrown away. */
async function verdictOf(
  tx: Tx,
  context: WorkerContext,
  pass: Pass,
  record: TakenShadow,
  { observation, startedAt }: Reading,
): Promise<Verdict> {
  const { tenantId, approvedOpId } = record;
  const lost = approvedOpId && (await lostAuthorization(tx, tenantId, approvedOpId));
  if (lost) return lost;
  const judged = judgedOf(context, pass, false, startedAt);
  const verdict = judge(judged, { kind: "before" }, observation, pass.connection.descriptor);
  if (verdict.to !== "act") return verdict;
  const prepared = await prepareCall(tx, context, pass, observation);
  return "stop" in prepared ? prepared.stop : verdict;
}

async function compareRecord(context: WorkerContext, shadow: Shadow): Promise<boolean> {
  const { record } = shadow;
  const { tenantId, id } = record;
  const pass = await passOf(context, shadow);
  if (!(await mayReadNow(context, record))) return false;
  const reading = await readPlatform(context, pass, refOf(pass));
  return asTenant(context.db, tenantId, async (tx) => {
    const receiptId = await keepShadowReading(tx, pass, record, reading);
    const said = {
      target: pass.target,
      wouldAct: record.wouldAct === true,
      reason: record.reason ?? "",
      baseline: await shadowBaseline(tx, tenantId, record.receiptId),
    };
    const { observation } = reading;
    const comparison = compareShadow(said, observation, pass.connection.descriptor);
    return writeComparison(tx, tenantId, {
      id,
      receiptId,
      comparison,
      observed: observedWords(observation),
    });
  });
}

/** The receipt and the mirror of a shadow's read: it is a read like any other (PL-4). Returns the receipt's id. */
async function keepShadowReading(
  tx: Tx,
  pass: Pass,
  record: TakenShadow,
  { observation, startedAt }: Reading,
): Promise<string> {
  const { tenantId, requestRef, connectionId } = record;
  const receiptId = await storeReceipt(tx, tenantId, {
    requestRef,
    connectionId,
    opId: record.planId === null ? record.approvedOpId : null,
    fence: null,
    purpose: "shadow",
    observation,
    startedAt,
  });
  const [request, second] = observation.kind === "read" ? observation.matches : [];
  if (!request || second) return receiptId;
  await keepMirror(tx, tenantId, {
    requestRef,
    request,
    receiptId,
    startedAt,
    descriptor: pass.connection.descriptor,
    connectionName: pass.connection.name,
    exceptOpId: null,
  });
  return receiptId;
}
