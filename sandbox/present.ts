import type { SandboxProfile } from "@/lib/providers/sandbox/profiles";
import type { SandboxRequest } from "./request";

/** A request as the e-signature API shows it. Signing links are never in it. */
export function presentRequest(request: SandboxRequest, profile: SandboxProfile) {
  return {
    id: request.id,
    client_reference: request.clientReference,
    status: request.status,
    title: request.title,
    message: request.message,
    document_digest: request.documentDigest,
    template_id: request.templateId,
    template_version: request.templateVersion,
    reminders: request.reminders,
    sent_at: request.sentAt,
    expires_at: request.expiresAt,
    version: request.version,
    ...(profile.reminderTimestamp ? { last_reminder_at: request.lastReminderAt } : {}),
    ...(profile.deliveryRecord ? { last_delivery_at: request.lastDeliveryAt } : {}),
    void_reason: request.voidReason,
    completed_at: request.completedAt ?? null,
    signers: request.signers.map(({ token: _token, ...signer }) => signer),
  };
}
