import { createHash, randomUUID } from "node:crypto";
import { canonicalText, sha256Hex } from "@/lib/domain/canonical";
import type { Observation, PlatformRequest } from "@/lib/domain/observation";
import { pollAgeMs } from "@/lib/domain/poll-age";
import { type ConnectionRow, loadConnection } from "@/lib/store/connections";
import { asTenant, type Tx } from "@/lib/store/db";
import type { DueSweep } from "@/lib/store/drift-sweeps";
import { recordInboxEvents, writeEventOutcomes } from "@/lib/store/inbox";
import { setNextPoll, takeDuePolls } from "@/lib/store/polls";
import { mayRead } from "@/lib/store/read-budget";
import { storeReceipt } from "@/lib/store/receipts";
import { placeOf, seal } from "@/lib/store/vault-cipher";
import { keepMirror } from "./keep-mirror";
import type { WorkerContext } from "./worker-context";

const BATCH = 8;

/** After a read that was not answered. */
const LATER_MS = 60_000;

/**
 * One round of polling (IN-7): open requests of connections whose platform does not tell us are read within the read
 * budget (PL-7), and what a read shows goes through the inbox like any event. Returns how many had their turn.
 */
export async function pollRequests(context: WorkerContext): Promise<number> {
  const due = await takeDuePolls(context.owner, BATCH);
  await Promise.all(due.map((poll) => pollOne(context, poll)));
  return due.length;
}

async function pollOne(context: WorkerContext, due: DueSweep): Promise<void> {
  const { tenantId, ref } = due;
  const connection = await asTenant(context.db, tenantId, async (tx) => {
    const wait = await notBefore(tx, due);
    if (wait === null) return loadConnection(tx, tenantId, due.connectionId);
    await setNextPoll(tx, tenantId, ref, wait);
    return null;
  });
  if (connection === null) return;
  const observation = await context
    .providerOf(connection)
    .readRequest(due.platformRef, { timeoutMs: connection.callTimeoutMs });
  await asTenant(context.db, tenantId, (tx) => keep(tx, context, { due, connection, observation }));
}

/** Null for now, else the moment at which the mirror is old enough or the budget has room. */
async function notBefore(tx: Tx, due: DueSweep): Promise<Date | null> {
  const { tenantId, connectionId, mirrorReadAt, takenAt, earliest } = due;
  if (mirrorReadAt !== null) {
    const old = later(mirrorReadAt, pollAgeMs(takenAt, earliest));
    if (old > takenAt) return old;
  }
  const budget = await mayRead(tx, tenantId, connectionId, "sweep");
  return budget.may ? null : budget.freeAt;
}

interface Poll {
  readonly due: DueSweep;
  readonly connection: ConnectionRow;
  readonly observation: Observation;
}

/** Keeps receipt, inbox row and what follows from the read together. */
async function keep(tx: Tx, context: WorkerContext, poll: Poll): Promise<void> {
  const { due, connection, observation } = poll;
  const { tenantId, ref, takenAt } = due;
  const receiptId = await storeReceipt(tx, tenantId, {
    requestRef: ref,
    connectionId: connection.id,
    opId: null,
    fence: null,
    purpose: "sweep",
    observation,
    startedAt: takenAt,
  });
  const [seen] = observation.kind === "read" ? observation.matches : [];
  const answered = observation.kind === "read" || observation.kind === "not_found";
  const nextMs = answered ? pollAgeMs(takenAt, due.earliest) : waitMs(observation);
  await setNextPoll(tx, tenantId, ref, later(takenAt, nextMs));
  if (!seen) return;
  const id = await record(tx, context.vaultKey, poll, seen);
  const moved = await keepMirror(tx, tenantId, {
    requestRef: ref,
    request: seen,
    receiptId,
    startedAt: takenAt,
    descriptor: connection.descriptor,
    connectionName: connection.name,
    exceptOpId: null,
  });
  if (id === null) return;
  await writeEventOutcomes(tx, tenantId, [
    {
      id,
      outcome: moved ? "applied" : "no_change",
      requestRef: ref,
      held: null,
      effects: { meaning: "read", to: seen.status, receipt: receiptId },
    },
  ]);
}

/** A state that a poll saw, once however often it is seen; null when it was seen before. */
async function record(
  tx: Tx,
  vaultKey: Buffer,
  { due, connection }: Poll,
  seen: PlatformRequest,
): Promise<string | null> {
  const { tenantId } = due;
  const id = randomUUID();
  const body = bodyOf(seen);
  const fresh = await recordInboxEvents(tx, tenantId, connection.id, [
    {
      id,
      identity: `seen:${sha256Hex(body)}`,
      hasEventId: false,
      source: "poll",
      type: `poll.${seen.status}`,
      platformRef: seen.platformRef,
      clientReference: seen.clientReference,
      claimedStatus: seen.status,
      occurredAt: seen.completedAt ?? null,
      signedAt: null,
      outcome: "received",
      keyId: "poll",
      bodySealed: seal(vaultKey, body, placeOf("inbox_events", tenantId, id)),
      bodyDigest: createHash("sha256").update(body).digest("hex"),
      copies: 1,
    },
  ]);
  return fresh.has(id) ? id : null;
}

/** The state that was seen, in canonical text and without anything personal (PV-4). */
function bodyOf(seen: PlatformRequest): string {
  return canonicalText({
    platform_ref: seen.platformRef,
    status: seen.status,
    expires_at: seen.expiresAt,
    version: seen.version,
    last_reminder_at: seen.lastReminderAt,
    last_delivery_at: seen.lastDeliveryAt,
    completed_at: seen.completedAt ?? null,
    signed: seen.signedCount,
  });
}

function waitMs(observation: Observation): number {
  const asked = observation.kind === "declined" ? (observation.retryAfterMs ?? 0) : 0;
  return Math.max(asked, LATER_MS);
}

function later(at: Date, byMs: number): Date {
  return new Date(at.getTime() + byMs);
}
