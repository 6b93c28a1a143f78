import { z } from "zod";
import { type Observation, REQUEST_STATUSES } from "./observation";

const MatchSchema = z.object({
  platform_ref: z.string(),
  client_reference: z.string().nullable(),
  status: z.enum(REQUEST_STATUSES),
  raw_status: z.string().nullable(),
  expires_at: z.string().nullable(),
  version: z.string().nullable(),
  last_reminder_at: z.string().nullable(),
  last_delivery_at: z.string().nullish(),
  platform_reminders: z.boolean().nullish(),
  signed: z.number(),
  signers: z.number(),
  signed_by: z.array(z.string().nullable()).nullish(),
});

const BodySchema = z.object({ matches: z.array(MatchSchema) });

/**
 * What a stored receipt says, as the read that it keeps (PL-4). Null where the body is of another form: nothing is
 * concluded from it then.
 */
export function observationOfReceipt(receipt: {
  readonly outcome: string;
  readonly body: string;
}): Observation | null {
  switch (receipt.outcome) {
    case "not_found":
      return { kind: "not_found" };
    case "declined":
      return { kind: "declined", retryAfterMs: null };
    case "read":
      return readOf(receipt.body);
    default:
      return null;
  }
}

function readOf(body: string): Observation | null {
  const parsed = BodySchema.safeParse(JSON.parse(body));
  if (!parsed.success) return null;
  return {
    kind: "read",
    matches: parsed.data.matches.map((match) => ({
      platformRef: match.platform_ref,
      clientReference: match.client_reference,
      status: match.status,
      rawStatus: match.raw_status ?? match.status,
      expiresAt: match.expires_at,
      version: match.version,
      lastReminderAt: match.last_reminder_at,
      platformReminders: match.platform_reminders ?? null,
      lastDeliveryAt: match.last_delivery_at ?? null,
      signedCount: match.signed,
      signerCount: match.signers,
      signers: (match.signed_by ?? []).map((reference) => ({ reference, signed: true })),
    })),
  };
}
