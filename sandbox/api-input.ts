import { z } from "zod";

/** PostgreSQL cannot keep NUL, so it is refused like any other unusable text. */
const Text = z.string().refine((value) => !value.includes("\u0000"));

const Expiry = {
  expires_at: z.iso.datetime().optional(),
  expires_in_days: z.number().int().positive().max(3650).optional(),
};

export const SendBody = z.strictObject({
  client_reference: Text.max(200).nullish(),
  document_digest: Text.max(200),
  template_id: Text.max(200).nullish(),
  template_version: Text.max(200).nullish(),
  title: Text.max(500),
  message: Text.max(20_000),
  reminders: z.boolean(),
  signers: z
    .array(
      z.strictObject({
        reference: Text.min(1).max(200),
        name: Text.min(1).max(200),
        email: z.email(),
        role: Text.max(100),
        order: z.number().int().positive(),
      }),
    )
    .min(1)
    .max(50),
  ...Expiry,
});

export const ExtendBody = z.strictObject(Expiry);

/** Nobody named: everybody is reminded. The message is what they read. */
export const RemindBody = z.strictObject({
  signers: z.array(z.string()).default([]),
  message: Text.max(20_000).optional(),
});

/** Resend and expire say nothing. */
export const PlainBody = z.strictObject({});

/** A void may give the reason that signers see. */
export const VoidBody = z.strictObject({ reason: Text.max(2000).optional() });
