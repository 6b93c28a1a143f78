import type { Observation } from "@/lib/domain/observation";
import type { Tx } from "@/lib/store/db";
import { type ReadPurpose, storeReceipt } from "@/lib/store/receipts";
import { databaseTimeReached } from "./hand";
import { keepMirror } from "./keep-mirror";
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
 * Keeps a reading of an operation with its receipt, the mirror and what follows from it (PL-4, IN-6, RM-1). Inside
 * the caller's tenant transaction. Returns the receipt's id.
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
  const { observation, startedAt } = reading;
  const [request, second] = observation.kind === "read" ? observation.matches : [];
  if (!request || second) return receiptId;
  await keepMirror(tx, claim.tenantId, {
    requestRef: claim.requestRef,
    request,
    receiptId,
    startedAt,
    descriptor: pass.connection.descriptor,
    connectionName: pass.connection.name,
    exceptOpId: claim.opId,
  });
  return receiptId;
}
