import type { CapabilityDescriptor } from "@/lib/domain/capability";
import { formatDuration } from "@/lib/domain/deadline";
import { isLower } from "@/lib/domain/event-order";
import { LATE_SIGNATURE_WORDS } from "@/lib/domain/late-signature";
import { isTerminal, type PlatformRequest, TERMINAL_STATUSES } from "@/lib/domain/observation";
import { endedFirst, finalStatus } from "@/lib/domain/reached";
import type { Tx } from "@/lib/store/db";
import {
  lockMirror,
  mirrorRead,
  retireOperations,
  retireSignedReminders,
} from "@/lib/store/mirror";
import { presentPolicy } from "@/lib/store/policies";
import { type RequestPeople, requestPeople, wasTold } from "@/lib/store/request-people";
import { openRequestReview } from "@/lib/store/review-items";
import { disputeClaims, handOff } from "./hand-off";
import { settleReplacements } from "./settle-replacements";

/** One request as an authoritative read showed it, with what the reader knows. */
export interface Shown {
  readonly requestRef: string;
  readonly request: PlatformRequest;
  readonly receiptId: string;
  /** Database time before which the read certainly had not started (RC-8). */
  readonly startedAt: Date;
  readonly descriptor: CapabilityDescriptor;
  readonly connectionName: string;
  /** The operation whose own pass read; it ends by its own verdict. */
  readonly exceptOpId: string | null;
}

/**
 * Writes a read into the mirror with everything that follows from it, in the caller's transaction (PL-4, IN-6): at a
 * final end what waits on the request ends, a signer's own signature ends that signer's reminders, and people are told
 * of a late signature (IN-5) and of a platform that reminds beside us (RM-1). An end that it shows is handed off, and
 * one that was only claimed waits for it (IN-9). The request's row is locked before any operation (C-09). False when the mirror knew better: nothing follows then.
 */
export async function keepMirror(tx: Tx, tenantId: string, shown: Shown): Promise<boolean> {
  const { request, receiptId, requestRef, exceptOpId } = shown;
  const final = finalStatus(request, shown.descriptor);
  const before = await lockMirror(tx, tenantId, requestRef);
  const mirrored = await mirrorRead(tx, tenantId, requestRef, {
    request,
    receiptId,
    startedAt: shown.startedAt,
    isFinal: final !== null,
  });
  if (!mirrored) {
    await disputeClaims(tx, tenantId, shown);
    return false;
  }
  const why = {
    actor: `platform:${shown.connectionName}`,
    evidence: { receipt: receiptId },
    exceptOpId,
  };
  if (final === null) {
    await retireSignedReminders(tx, tenantId, requestRef, signedBy(request), why);
  } else {
    await retireOperations(tx, tenantId, requestRef, { ...why, reason: endedFirst(final) });
    await settleReplacements(tx, { tenantId, requestRef });
  }
  await tellPeople(tx, tenantId, shown);
  if (isLower(request.status, before)) await tellLowered(tx, tenantId, shown, before);
  await handOff(tx, tenantId, shown);
  return true;
}

/** IN-5: only a read lowers the rank of an open status, and somebody looks at it. An end that is left is no such case. */
async function tellLowered(
  tx: Tx,
  tenantId: string,
  { request, requestRef, receiptId }: Shown,
  before: string | null,
): Promise<void> {
  if (TERMINAL_STATUSES.some((status) => status === before)) return;
  const { owner } = await requestPeople(tx, tenantId, requestRef);
  const evidence = { receipt: receiptId, a: before, b: request.status };
  await openRequestReview(tx, tenantId, { requestRef, reason: "drift_status", owner, evidence });
}

function signedBy({ signers }: PlatformRequest): readonly string[] {
  return signers.flatMap(({ reference, signed }) =>
    signed && reference !== null ? [reference] : [],
  );
}

async function tellPeople(tx: Tx, tenantId: string, shown: Shown): Promise<void> {
  const { request, requestRef } = shown;
  const completed = request.status === "completed";
  const reminds = request.platformReminders === true && !isTerminal(request.status);
  if (!completed && !reminds) return;
  const people = await requestPeople(tx, tenantId, requestRef);
  if (completed) await tellLateSignature(tx, tenantId, shown, people);
  if (reminds && people.reminderOwner === "application") {
    await openRequestReview(tx, tenantId, {
      requestRef,
      reason: "platform_also_reminds",
      owner: people.owner,
      evidence: { receipt: shown.receiptId },
    });
  }
}

/**
 * IN-5: a completion after the business deadline stays what it is and somebody looks at it. Where the platform does
 * not say when the last signer signed, the first read that shows it counts, and the evidence says so. What a late
 * signature means is nothing that the ledger decides.
 */
async function tellLateSignature(
  tx: Tx,
  tenantId: string,
  { request, receiptId, requestRef, startedAt }: Shown,
  { businessDeadlineAt, owner }: RequestPeople,
): Promise<void> {
  if (businessDeadlineAt === null) return;
  const completedAt = request.completedAt ? new Date(request.completedAt) : null;
  const lateByMs = (completedAt ?? startedAt).getTime() - businessDeadlineAt.getTime();
  const reason = "signed_after_deadline";
  if (lateByMs <= 0 || (await wasTold(tx, tenantId, requestRef, reason))) return;
  const { version, policy } = await presentPolicy(tx, tenantId, "send");
  await openRequestReview(tx, tenantId, {
    requestRef,
    reason,
    owner,
    evidence: {
      receipt: receiptId,
      completed_at: request.completedAt ?? null,
      shown_at: startedAt.toISOString(),
      business_deadline: businessDeadlineAt.toISOString(),
      gap: formatDuration(lateByMs),
      policy: LATE_SIGNATURE_WORDS[policy.lateSignature],
      policy_version: version,
    },
  });
}
