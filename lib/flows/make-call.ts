import { invariant } from "@/lib/domain/invariant";
import type { CallOutcome, Observation } from "@/lib/domain/observation";
import type { ExtendPayload, SendPayload } from "@/lib/domain/payload";
import type { Verdict } from "@/lib/domain/verdict";
import type { CallOptions, Provider, ResolvedSigner } from "@/lib/providers/port";
import type { Tx } from "@/lib/store/db";
import { resolveContact, resolveText } from "@/lib/store/vault";
import type { Pass } from "./pass";
import type { WorkerContext } from "./worker-context";

/** The one call that a pass may make, ready to leave: everything it says was resolved before. */
export type PreparedCall = (provider: Provider, options: CallOptions) => Promise<CallOutcome>;

type Prepared =
  | { readonly call: PreparedCall }
  | { readonly stop: Exclude<Verdict, { to: "act" }> };

/**
 * Builds the call from the approved payload. Contact details and texts are resolved from the vault now and compared
 * with the approved digests (ID-5); a difference stops the pass. Nothing leaves here.
 */
export async function prepareCall(
  tx: Tx,
  context: WorkerContext,
  pass: Pass,
  before: Observation,
): Promise<Prepared> {
  switch (pass.payload.kind) {
    case "send":
      return prepareSend(tx, context, pass, pass.payload);
    case "extend":
      return prepareExtend(pass, pass.payload, before);
    case "resend":
    case "remind":
    case "expire":
    case "void":
      return { stop: { to: "needs_review", reason: "capability_changed" } };
  }
}

function prepareExtend(pass: Pass, payload: ExtendPayload, before: Observation): Prepared {
  const { platformRef } = pass;
  invariant(platformRef, "an extension that may act has read its request");
  const version = before.kind === "read" ? (before.matches[0]?.version ?? null) : null;
  const ifVersion = pass.connection.descriptor.conditionalUpdate === "version" ? version : null;
  return {
    call: (provider, options) =>
      provider.extend(
        {
          opId: pass.hand.claim.opId,
          platformRef,
          expiresAt: payload.target.expires_at,
          ifVersion,
        },
        options,
      ),
  };
}

async function prepareSend(
  tx: Tx,
  context: WorkerContext,
  pass: Pass,
  payload: SendPayload,
): Promise<Prepared> {
  const signers = await resolveSigners(tx, context, pass, payload);
  const title = await approvedText(tx, context, pass, payload.title);
  const message = payload.message ? await approvedText(tx, context, pass, payload.message) : "";
  const [document] = payload.documents;
  invariant(document, "a send names at least one document");
  if (signers === null || title === null || message === null) {
    return { stop: { to: "needs_review", reason: "payload_changed_after_approval" } };
  }
  const call = {
    opId: pass.hand.claim.opId,
    documentDigest: document.digest,
    templateId: payload.template?.id ?? null,
    templateVersion: payload.template?.version ?? null,
    title,
    message,
    expiresAt: payload.expires_at,
    remindersByPlatform: payload.reminders.owner === "platform",
    signers,
  };
  return { call: (provider, options) => provider.send(call, options) };
}

/** Null when a contact is gone or no longer has the digest that was approved (ID-5). */
async function resolveSigners(
  tx: Tx,
  context: WorkerContext,
  pass: Pass,
  payload: SendPayload,
): Promise<ResolvedSigner[] | null> {
  const scope = { tenantId: pass.hand.claim.tenantId, vaultKey: context.vaultKey };
  const actor = `worker:${context.worker.name}`;
  const signers: ResolvedSigner[] = [];
  for (const signer of payload.signers) {
    const found = await resolveContact(tx, scope, signer.subject_ref, "send", actor);
    if (found?.digest !== signer.contact_digest) return null;
    signers.push({
      subjectRef: signer.subject_ref,
      role: signer.role,
      order: signer.order,
      ...found.contact,
    });
  }
  return signers;
}

async function approvedText(
  tx: Tx,
  context: WorkerContext,
  pass: Pass,
  entry: { readonly ref: string; readonly digest: string },
): Promise<string | null> {
  const scope = { tenantId: pass.hand.claim.tenantId, vaultKey: context.vaultKey };
  const found = await resolveText(tx, scope, entry.ref, "send", `worker:${context.worker.name}`);
  return found?.digest === entry.digest ? found.text : null;
}
