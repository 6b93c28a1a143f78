import type { Observation } from "@/lib/domain/observation";
import { endedFirst, finalStatus } from "@/lib/domain/reached";
import type { Tx } from "@/lib/store/db";
import { mirrorRead, retireOperations } from "@/lib/store/mirror";
import { type ReadPurpose, storeReceipt } from "@/lib/store/receipts";
import { databaseTimeReached } from "./hand";
import type { Pass } from "./pass";
import type { WorkerContext } from "./worker-context";

/** A read of the platform with the database time that had certainly passed when it started (RC-8). */
export interface Reading {
  readonly observation: Observation;
  readonly startedAt: Date;
}

const NOT_SUPPORTED: Observation = {
  kind: "unreadable",
  detail: {
    cause: "not_supported",
    httpStatus: null,
    platformCode: null,
    platformRequestId: null,
  },
};

/**
 * Reads the platform for an operation (PL-4). A send is looked up by its own reference where that exists; a known
 * platform reference is read where the look-up shows nothing. No transaction is open meanwhile.
 */
export async function readPlatform(
  context: WorkerContext,
  pass: Pass,
  knownRef: string | null,
): Promise<Reading> {
  const startedAt = databaseTimeReached(pass.hand, context.clock);
  const options = { timeoutMs: pass.connection.callTimeoutMs };
  if (pass.payload.kind !== "send") {
    const observation = knownRef
      ? await pass.provider.readRequest(knownRef, options)
      : NOT_SUPPORTED;
    return { observation, startedAt };
  }
  const searchable = pass.connection.descriptor.lookupByReference.kind !== "none";
  const found = searchable
    ? await pass.provider.findByReference(pass.hand.claim.opId, options)
    : NOT_SUPPORTED;
  if (knownRef === null || shows(found)) return { observation: found, startedAt };
  return { observation: await pass.provider.readRequest(knownRef, options), startedAt };
}

function shows(observation: Observation): boolean {
  return observation.kind === "read" && observation.matches.length > 0;
}

/**
 * Keeps a reading: its receipt, the mirror and, at a final end, the end of what waits on the request (PL-4, IN-6).
 * Inside the caller's tenant transaction; the request's row is locked before any operation (C-09). Returns the
 * receipt's id.
 */
export async function keepReading(
  tx: Tx,
  pass: Pass,
  purpose: ReadPurpose,
  reading: Reading,
): Promise<string> {
  const { claim } = pass.hand;
  const receiptId = await storeReceipt(tx, claim.tenantId, {
    requestRef: claim.requestRef,
    connectionId: claim.connectionId,
    opId: claim.opId,
    fence: claim.fence,
    purpose,
    ...reading,
  });
  const { observation } = reading;
  const [request, second] = observation.kind === "read" ? observation.matches : [];
  if (!request || second) return receiptId;
  const final = finalStatus(request, pass.connection.descriptor);
  const mirrored = await mirrorRead(tx, claim.tenantId, claim.requestRef, {
    request,
    receiptId,
    startedAt: reading.startedAt,
    isFinal: final !== null,
  });
  if (mirrored && final !== null) {
    await retireOperations(tx, claim.tenantId, claim.requestRef, {
      actor: `platform:${pass.connection.name}`,
      reason: endedFirst(final),
      evidence: { receipt: receiptId },
      exceptOpId: claim.opId,
    });
  }
  return receiptId;
}
