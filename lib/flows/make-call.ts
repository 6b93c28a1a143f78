import { invariant } from "@/lib/domain/invariant";
import type { CallOutcome, Observation } from "@/lib/domain/observation";
import type { PayloadOf, PayloadSigner, SendPayload } from "@/lib/domain/payload";
import { notSigned } from "@/lib/domain/shown-contact";
import type { Verdict } from "@/lib/domain/verdict";
import type { CallOptions, Provider, ResolvedSigner, TargetCall } from "@/lib/providers/port";
import type { Tx } from "@/lib/store/db";
import { isContactErased } from "@/lib/store/erased-requests";
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
 * with the approved digests (ID-5); a difference stops the pass, as `contact_erased` where an erasure made it (PV-3).
 * Nothing leaves here.
 */
export async function prepareCall(
  tx: Tx,
  context: WorkerContext,
  pass: Pass,
  before: Observation,
): Promise<Prepared> {
  const prepared = await resolveCall(tx, context, pass, before);
  const { tenantId, requestRef } = pass.hand.claim;
  const changed = "stop" in prepared && prepared.stop === CHANGED.stop;
  return changed && (await isContactErased(tx, tenantId, requestRef)) ? ERASED : prepared;
}

async function resolveCall(
  tx: Tx,
  context: WorkerContext,
  pass: Pass,
  before: Observation,
): Promise<Prepared> {
  const { payload } = pass;
  switch (payload.kind) {
    case "send":
      return prepareSend(tx, context, pass, payload);
    case "extend":
      return {
        call: (provider, options) =>
          provider.extend(
            { ...targetCall(pass, before), expiresAt: payload.target.expires_at },
            options,
          ),
      };
    case "expire":
      return { call: (provider, options) => provider.expire(targetCall(pass, before), options) };
    case "void":
      return prepareVoid(tx, context, pass, payload, before);
    case "remind":
      return prepareReminder(tx, context, pass, payload, before);
    case "resend": {
      if (!(await contactsHold(tx, context, pass, payload.signers))) return CHANGED;
      return { call: (provider, options) => provider.resend(targetCall(pass, before), options) };
    }
  }
}

/** PV-3: there is nobody any more to whom it could be sent. */
const ERASED = {
  stop: { to: "needs_review", reason: "contact_erased" },
} as const satisfies Prepared;

/** ID-5: what was approved is no longer what the vault holds, or it was erased. */
const CHANGED = {
  stop: { to: "needs_review", reason: "payload_changed_after_approval" },
} as const satisfies Prepared;

/** Conditional on the version that was read, where the platform can compare (PL-5). */
function targetCall(pass: Pass, before: Observation): TargetCall {
  const { platformRef } = pass;
  invariant(platformRef, "a change that may act has read its request");
  const version = before.kind === "read" ? (before.matches[0]?.version ?? null) : null;
  const ifVersion = pass.connection.descriptor.conditionalUpdate === "version" ? version : null;
  return { opId: pass.hand.claim.opId, platformRef, ifVersion };
}

/** The reason that signers will see, as it was approved. */
async function prepareVoid(
  tx: Tx,
  context: WorkerContext,
  pass: Pass,
  payload: PayloadOf<"void">,
  before: Observation,
): Promise<Prepared> {
  const call = targetCall(pass, before);
  if (payload.shown_reason === null) {
    return { call: (provider, options) => provider.void({ ...call, reason: null }, options) };
  }
  if (!pass.connection.descriptor.voidShowsReason) {
    return { stop: { to: "needs_review", reason: "capability_changed" } };
  }
  const reason = await approvedText(tx, context, pass, payload.shown_reason);
  if (reason === null) return CHANGED;
  return { call: (provider, options) => provider.void({ ...call, reason }, options) };
}

/** One call for all those who have not signed by the read (RM-3). */
async function prepareReminder(
  tx: Tx,
  context: WorkerContext,
  pass: Pass,
  payload: PayloadOf<"remind">,
  before: Observation,
): Promise<Prepared> {
  const [request] = before.kind === "read" ? before.matches : [];
  invariant(request, "a reminder that may act has read its request");
  const message = payload.message ? await approvedText(tx, context, pass, payload.message) : "";
  const held = await contactsHold(tx, context, pass, payload.signers);
  if (message === null || !held) return CHANGED;
  const subjectRefs = notSigned(
    payload.signers.map((signer) => signer.subject_ref),
    request,
  );
  const call = { ...targetCall(pass, before), subjectRefs, message };
  return { call: (provider, options) => provider.remind(call, options) };
}

/** True while the vault holds for everybody the contact details that were approved (ID-5). */
async function contactsHold(
  tx: Tx,
  context: WorkerContext,
  pass: Pass,
  signers: readonly PayloadSigner[],
): Promise<boolean> {
  return (await resolveSigners(tx, context, pass, signers)) !== null;
}

async function prepareSend(
  tx: Tx,
  context: WorkerContext,
  pass: Pass,
  payload: SendPayload,
): Promise<Prepared> {
  const signers = await resolveSigners(tx, context, pass, payload.signers);
  const title = await approvedText(tx, context, pass, payload.title);
  const message = payload.message ? await approvedText(tx, context, pass, payload.message) : "";
  const [document] = payload.documents;
  invariant(document, "a send names at least one document");
  if (signers === null || title === null || message === null) {
    return CHANGED;
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
  approved: readonly PayloadSigner[],
): Promise<ResolvedSigner[] | null> {
  const scope = { tenantId: pass.hand.claim.tenantId, vaultKey: context.vaultKey };
  const actor = `worker:${context.worker.name}`;
  const signers: ResolvedSigner[] = [];
  for (const signer of approved) {
    const { kind } = pass.payload;
    const found = await resolveContact(tx, scope, signer.subject_ref, kind, actor);
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
  const actor = `worker:${context.worker.name}`;
  const found = await resolveText(tx, scope, entry.ref, pass.payload.kind, actor);
  return found?.digest === entry.digest ? found.text : null;
}
