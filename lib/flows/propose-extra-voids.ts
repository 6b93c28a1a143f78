import { randomUUID } from "node:crypto";
import { keyFor, opKey } from "@/lib/domain/identity";
import type { Observation, PlatformRequest } from "@/lib/domain/observation";
import { PRIORITY } from "@/lib/domain/operation";
import { parsePayload, type SendPayload, writePayload } from "@/lib/domain/payload";
import { finalStatus } from "@/lib/domain/reached";
import { instantOf } from "@/lib/domain/zone";
import type { Tx } from "@/lib/store/db";
import type { TakenDecision } from "@/lib/store/decisions-taken";
import { modeOf } from "@/lib/store/modes";
import { presentPolicy } from "@/lib/store/policies";
import { insertProposal, openOperationsOf } from "@/lib/store/proposals";
import type { Pass } from "./pass";

export interface ExtraVoids {
  /** The proposals, each of which needs its own approval. */
  readonly proposed: readonly string[];
  /** References that were left: they carry a signature that nobody typed a reference for, or voids are switched off. */
  readonly left: readonly string[];
}

/**
 * Proposes a ledgered void for each further request that carries the reference of a send (RC-3, C-11): everything that
 * is open but the one to keep. One that somebody has signed is only proposed when the person typed its reference.
 * Proposed in the name of the person who decided, so that somebody else approves it.
 */
export async function proposeExtraVoids(
  tx: Tx,
  taken: TakenDecision,
  pass: Pass,
  payload: SendPayload,
  observation: Observation,
): Promise<ExtraVoids> {
  const extras = extrasIn(observation, taken.kept, pass);
  const mode = await modeOf(tx, taken.tenantId, "void");
  const refs = ({ platformRef }: PlatformRequest) => platformRef;
  if (mode === "off") return { proposed: [], left: extras.map(refs) };
  const may = ({ signedCount, platformRef }: PlatformRequest) =>
    signedCount === 0 || taken.voidsTyped.includes(platformRef);
  const asked = await alreadyAsked(tx, pass);
  const proposed: string[] = [];
  for (const extra of extras.filter(may)) {
    if (asked.has(extra.platformRef)) continue;
    proposed.push(await proposeOne(tx, taken, pass, payload, extra, mode));
  }
  return { proposed, left: extras.filter((extra) => !may(extra)).map(refs) };
}

function extrasIn(
  observation: Observation,
  kept: string | null,
  { connection }: Pass,
): readonly PlatformRequest[] {
  const matches = observation.kind === "read" ? observation.matches : [];
  return matches.filter(
    (match) => match.platformRef !== kept && finalStatus(match, connection.descriptor) === null,
  );
}

/** References for which a void is open already: a repeated decision adds none. */
async function alreadyAsked(tx: Tx, { hand }: Pass): Promise<ReadonlySet<string>> {
  const { tenantId, requestRef } = hand.claim;
  const open = await openOperationsOf(tx, tenantId, requestRef, "void");
  return new Set(
    open.flatMap(({ canonicalText }) => {
      const payload = parsePayload(canonicalText);
      return payload.kind === "void" ? [payload.platform_ref] : [];
    }),
  );
}

async function proposeOne(
  tx: Tx,
  taken: TakenDecision,
  pass: Pass,
  payload: SendPayload,
  extra: PlatformRequest,
  mode: "shadow" | "live",
): Promise<string> {
  const { tenantId } = taken;
  const { requestRef, connectionId } = pass.hand.claim;
  const { version, policy } = await presentPolicy(tx, tenantId, "void");
  const { text, hash } = writePayload({
    schema: 1,
    kind: "void",
    request_ref: requestRef,
    connection_id: connectionId,
    platform_ref: extra.platformRef,
    expected: {
      status: extra.status,
      expires_at: extra.expiresAt && instantOf(Date.parse(extra.expiresAt)),
      version: extra.version,
      signers: payload.signers,
    },
    reason_digest: taken.reasonDigest,
    supersedes_op_id: null,
    // The reason of a decision is for the ledger; signers are told none.
    shown_reason: null,
  });
  const [opId, approvalId] = [randomUUID(), randomUUID()];
  await insertProposal(tx, {
    tenantId,
    opId,
    opKey: keyFor(mode, opKey({ form: "single", requestRef, kind: "void", approvalId })),
    kind: "void",
    requestRef,
    connectionId,
    canonicalText: text,
    payloadHash: hash,
    approvalId,
    policyVersion: version,
    validityHours: policy.validityHours,
    priority: PRIORITY.void,
    supersedesOpId: null,
    dueAt: null,
    actor: `user:${taken.decidedBy}`,
    evidence: JSON.stringify({
      reason: { ref: taken.reasonRef, digest: taken.reasonDigest },
      decision: taken.id,
      extra_of: pass.hand.claim.opId,
    }),
  });
  return opId;
}
