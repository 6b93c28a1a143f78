import { randomUUID } from "node:crypto";
import type { BusinessDeadline } from "@/lib/domain/business-deadline";
import { sha256Hex } from "@/lib/domain/canonical";
import { opKey } from "@/lib/domain/identity";
import { invariant } from "@/lib/domain/invariant";
import { isTerminal } from "@/lib/domain/observation";
import {
  type ApprovedTimers,
  type Payload,
  type PayloadSigner,
  writePayload,
} from "@/lib/domain/payload";
import { ledgerNow, type Tx } from "@/lib/store/db";
import { modeOf } from "@/lib/store/modes";
import { lockRequest, type RequestRow, signersOf } from "@/lib/store/requests";
import { recordShadow } from "@/lib/store/shadow";
import { signedSigners } from "@/lib/store/signed-signers";
import {
  insertTimers,
  type NewTimer,
  setTimerPlan,
  type TimerKind,
  type TimerPlan,
} from "@/lib/store/timers";
import { basisOf, type ChangeHead, changeHead } from "./change-basis";

/** A timer that shall be planned; `dueAt` is RFC 3339 in UTC. */
export interface WantedTimer {
  readonly kind: TimerKind;
  readonly occurrence: number;
  readonly dueAt: string;
  readonly policyVersion: number;
  /** The deadline at which an expiry closes the request; null for reminders. */
  readonly deadline: BusinessDeadline | null;
}

/** Below the reminders, which count from 1: numbers of one plan never meet. */
const EXPIRY_OCCURRENCE = 0;

/** What people approved, as timers: reminders count from 1, the expiry is number 0. */
export function wantedTimers(
  timers: ApprovedTimers,
  deadline: BusinessDeadline,
): readonly WantedTimer[] {
  const reminders = timers.reminders.map((dueAt, place) => ({
    kind: "remind" as const,
    occurrence: place + 1,
    dueAt,
    policyVersion: timers.policies.remind,
    deadline: null,
  }));
  if (!timers.closes_at_deadline) return reminders;
  const expiry = {
    kind: "expire" as const,
    occurrence: EXPIRY_OCCURRENCE,
    dueAt: deadline.instant,
    policyVersion: timers.policies.expire,
    deadline,
  };
  return [expiry, ...reminders];
}

/**
 * Plans timers of a request as operations, in the transaction that brings them (TM-3, IN-6): what lies in the past,
 * or for reminders at or after the expiry that was read, is left out. `planId` is the operation that brings the plan,
 * so a replay meets the same keys and adds nothing (ID-1). The plan is in force from then on, also when it is empty.
 * A kind in shadow mode is recorded only (GO-1). Returns how many timers became operations.
 */
export async function planTimers(
  tx: Tx,
  tenantId: string,
  plan: Pick<TimerPlan, "requestRef" | "planId" | "approvedWithOpId">,
  wanted: readonly WantedTimer[],
): Promise<number> {
  const request = await lockRequest(tx, tenantId, plan.requestRef);
  invariant(request, "a plan has its request");
  const now = (await ledgerNow(tx)).getTime();
  const until = request.mirrorExpiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const left = wanted.filter(({ kind, dueAt }) => {
    const at = Date.parse(dueAt);
    return kind === "expire" || (at > now && at < until);
  });
  await setTimerPlan(tx, { tenantId, ...plan });
  if (left.length === 0 || hasEnded(request)) return 0;
  const timers = await writtenTimers(tx, tenantId, request, plan.planId, left);
  const full = { tenantId, connectionId: request.connectionId, ...plan };
  return (
    (await keepTimers(tx, full, "remind", timers)) + (await keepTimers(tx, full, "expire", timers))
  );
}

function hasEnded({ mirrorStatus, descriptor }: RequestRow): boolean {
  if (mirrorStatus === null || !isTerminal(mirrorStatus)) return false;
  return descriptor.terminal[mirrorStatus] === "final";
}

async function keepTimers(
  tx: Tx,
  plan: TimerPlan,
  kind: TimerKind,
  timers: readonly NewTimer[],
): Promise<number> {
  const own = timers.filter((timer) => timer.kind === kind);
  if (own.length === 0) return 0;
  if ((await modeOf(tx, plan.tenantId, kind)) !== "shadow") return insertTimers(tx, plan, own);
  const { tenantId, requestRef, connectionId, planId, approvedWithOpId } = plan;
  for (const { occurrence, canonicalText, payloadHash, dueAt, plannedBy } of own) {
    await recordShadow(tx, tenantId, {
      kind,
      requestRef,
      connectionId,
      canonicalText,
      payloadHash,
      dueAt: new Date(dueAt),
      plannedBy,
      planId,
      occurrence,
      approvedOpId: approvedWithOpId,
    });
  }
  return 0;
}

async function writtenTimers(
  tx: Tx,
  tenantId: string,
  request: RequestRow,
  planId: string,
  wanted: readonly WantedTimer[],
): Promise<NewTimer[]> {
  const basis = basisOf(request, await signersOf(tx, tenantId, request.ref));
  const signed = await signedSigners(tx, tenantId, request.mirrorReceiptId);
  const open = basis.expected.signers.filter(({ subject_ref: ref }) => !signed.has(ref));
  const possible = wanted.filter(({ kind }) => kind === "expire" || open.length > 0);
  return possible.map((timer) => {
    const { kind, occurrence, dueAt, policyVersion } = timer;
    const plannedBy = `policy:${kind}-v${policyVersion}`;
    const head = changeHead(basis, {
      requestRef: request.ref,
      // Nobody typed a reason; the digest is that of the policy's name.
      reasonDigest: sha256Hex(plannedBy),
      supersedesOpId: null,
    });
    const { text, hash } = writePayload(payloadOf(head, timer, open));
    return {
      opId: randomUUID(),
      opKey: opKey({ form: "recurring", requestRef: request.ref, kind, planId, occurrence }),
      kind,
      occurrence,
      dueAt,
      canonicalText: text,
      payloadHash: hash,
      policyVersion,
      plannedBy,
    };
  });
}

function payloadOf(
  head: ChangeHead,
  { kind, deadline }: WantedTimer,
  open: PayloadSigner[],
): Payload {
  switch (kind) {
    case "remind":
      return { ...head, kind, signers: open, message: null };
    case "expire":
      return { ...head, kind, business_deadline: deadline };
  }
}
