import { sha256Hex } from "@/lib/domain/canonical";
import type { Matter } from "@/lib/domain/decision-matter";
import type { Observation } from "@/lib/domain/observation";
import type { ConnectionRow } from "@/lib/store/connections";
import type { Tx } from "@/lib/store/db";
import { operationAsClaim, type TakenDecision } from "@/lib/store/decisions-taken";
import { storeReceipt } from "@/lib/store/receipts";
import { keepMirror } from "./keep-mirror";
import type { Pass } from "./pass";
import { gatherPass } from "./prepare-pass";
import { keepReading, type Reading, readPlatform } from "./read-platform";
import type { WorkerContext } from "./worker-context";

/** What a worker needs to read for an item: the pass of its operation, or the connection of its request. */
export interface ReadBasis {
  readonly matter: Matter;
  readonly pass: Pass | null;
  readonly connection: ConnectionRow | null;
}

/**
 * The pass of the item's operation, without a lease: a read for a person changes nothing. Null without operation, and
 * for one whose stored bytes are not what was approved: nothing is read or called by such bytes (ID-9).
 */
export async function passOf(
  tx: Tx,
  context: WorkerContext,
  tenantId: string,
  { operation }: Matter,
): Promise<Pass | null> {
  if (operation === null) return null;
  const askedAtMs = context.clock.elapsedMs();
  const claim = await operationAsClaim(tx, tenantId, operation.opId);
  if (claim === null || sha256Hex(claim.canonicalText) !== claim.payloadHash) return null;
  return gatherPass(tx, context, { claim, askedAtMs, answeredAtMs: context.clock.elapsedMs() });
}

/**
 * Reads the platform for a person (RV-3, PL-1): the operation as a look would, a reference that was entered by hand, or
 * the request. No transaction is open meanwhile. Null where the platform has nothing to read.
 */
export async function readFor(
  context: WorkerContext,
  { matter, pass, connection }: ReadBasis,
  { kept, option, takenAt }: Pick<TakenDecision, "kept" | "option" | "takenAt">,
): Promise<Reading | null> {
  if (pass !== null) {
    const entered = option === "applied" ? kept : null;
    const known = pass.payload.kind === "send" ? pass.hand.claim.platformRef : pass.platformRef;
    return readPlatform(context, pass, entered ?? known);
  }
  const platformRef = matter.request?.platformRef ?? null;
  if (connection === null || platformRef === null) return null;
  const options = { timeoutMs: connection.callTimeoutMs };
  const observation = await context.providerOf(connection).readRequest(platformRef, options);
  return { observation, startedAt: takenAt };
}

/** Keeps a reading as a receipt of purpose `decision`, with the mirror and what follows. Returns the receipt's id. */
export async function keepDecisionReading(
  tx: Tx,
  tenantId: string,
  { matter, pass, connection }: ReadBasis,
  kept: string | null,
  reading: Reading,
): Promise<string | null> {
  const first = keptFirst(reading, kept);
  // What a person chose or entered is the request's only once the decision about it stands.
  if (pass !== null && kept === null) return keepReading(tx, pass, "decision", first);
  if (connection === null || matter.request === null) return null;
  const { observation, startedAt } = first;
  const requestRef = matter.request.ref;
  const receiptId = await storeReceipt(tx, tenantId, {
    requestRef,
    connectionId: connection.id,
    opId: matter.operation?.opId ?? null,
    fence: pass?.hand.claim.fence ?? null,
    purpose: "decision",
    observation,
    startedAt,
  });
  if (kept !== null) return receiptId;
  const [request] = observation.kind === "read" ? observation.matches : [];
  if (request) {
    await keepMirror(tx, tenantId, {
      requestRef,
      request,
      receiptId,
      startedAt,
      descriptor: connection.descriptor,
      connectionName: connection.name,
      exceptOpId: null,
    });
  }
  return receiptId;
}

/** The match that was chosen stands first in the receipt: it is the one that the send is found by from then on. */
function keptFirst({ observation, startedAt }: Reading, kept: string | null): Reading {
  if (kept === null || observation.kind !== "read") return { observation, startedAt };
  const chosen = observation.matches.filter(({ platformRef }) => platformRef === kept);
  const others = observation.matches.filter(({ platformRef }) => platformRef !== kept);
  const sorted: Observation = { kind: "read", matches: [...chosen, ...others] };
  return { observation: sorted, startedAt };
}
