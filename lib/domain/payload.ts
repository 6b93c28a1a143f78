import { z } from "zod";
import { BusinessDeadlineSchema, InstantSchema } from "./business-deadline";
import { canonicalText, parseStrictJson, sha256Hex } from "./canonical";
import { invariant } from "./invariant";
import { REQUEST_STATUSES } from "./observation";

/**
 * The approved payloads (ID-4, ID-5): everything that changes what a signer receives or what an action means,
 * and nothing that varies from call to call. People appear as `subject_ref` with a keyed digest of what was
 * approved, typed texts as a vault reference with a keyed digest.
 */
const Digest = z.string().regex(/^[0-9a-f]{64}$/);
const OpaqueId = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]*$/);
const SubjectRef = z.string().regex(/^s_[a-z0-9]{1,62}$/);
const RoleName = z.string().min(1).max(100);

const SignerSchema = z.strictObject({
  subject_ref: SubjectRef,
  role: RoleName,
  order: z.int().min(1).max(1000),
  contact_digest: Digest,
});

/** A text in the vault: where it is, and the keyed digest of what was approved. */
const VaultTextSchema = z.strictObject({ ref: OpaqueId, digest: Digest });

/** What the approver saw at the platform (PL-4); the worker compares before it acts. */
const ExpectedSchema = z.strictObject({
  status: z.enum(REQUEST_STATUSES),
  expires_at: InstantSchema.nullable(),
  version: z.string().max(200).nullable(),
  signers: z.array(SignerSchema).max(1000),
});

/** More planned reminders than anybody wants to read before approving them. */
export const REMINDERS_MAX = 100;

/**
 * The timers that are approved with a send or an extension (TM-3, TM-5, C-26). A payload without them, from before
 * there were timers, plans none.
 */
const TimersSchema = z.strictObject({
  /** When the application reminds, oldest first; each lies before the business deadline. */
  reminders: z.array(InstantSchema).max(REMINDERS_MAX),
  /** True when the request is closed by itself at the business deadline (AP-2). */
  closes_at_deadline: z.boolean(),
  /** The versions of the policies that say so. */
  policies: z.strictObject({ remind: z.int().min(1), expire: z.int().min(1) }),
});

const HEAD = {
  schema: z.literal(1),
  request_ref: OpaqueId,
  connection_id: z.uuid(),
  /** The operation that this one replaces (ID-7). */
  supersedes_op_id: z.uuid().nullable(),
};

const ON_A_REQUEST = {
  ...HEAD,
  platform_ref: z.string().min(1).max(200),
  expected: ExpectedSchema,
  /** Keyed digest of the reason that the proposer typed. */
  reason_digest: Digest,
};

export const ExtendPayloadSchema = z.strictObject({
  ...ON_A_REQUEST,
  kind: z.literal("extend"),
  target: z.strictObject({
    expires_at: InstantSchema,
    business_deadline: BusinessDeadlineSchema,
    /**
     * Only where the platform cannot keep the instant (TM-3, C-24): what it will show instead, or null where that
     * depends on the moment of the call.
     */
    shown_expires_at: InstantSchema.nullable().exactOptional(),
  }),
  /** An extension never touches the platform's own reminder settings. */
  reminders: z.literal("unchanged"),
  signature_policy: OpaqueId.nullable(),
  timers: TimersSchema.exactOptional(),
});

/**
 * What a corrected send replaces (ID-7): its approval carries the void of what the earlier one made at the platform.
 * Both members about the platform are null while the earlier send has made nothing that is known.
 */
const ReplacesSchema = z.strictObject({
  platform_ref: z.string().min(1).max(200).nullable(),
  expected: ExpectedSchema.nullable(),
  /** `at_once` only where the approval says so; otherwise the void must be confirmed first. */
  starts: z.enum(["after_void", "at_once"]),
  /** Keyed digest of the reason that the proposer typed. */
  reason_digest: Digest,
  /** The reason that signers of the earlier one see; null where the platform shows none. */
  shown_reason: VaultTextSchema.nullable(),
  /** The version of the policy for voids that the approval has to meet too. */
  void_policy: z.int().min(1),
});

const PlacementSchema = z.strictObject({
  subject_ref: SubjectRef,
  document_digest: Digest,
  field: z.enum(["signature", "initials", "date", "text", "checkbox"]),
  page: z.int().min(1).max(10_000),
  /** Points from the left and the top of the page. */
  x: z.number().min(0).max(20_000),
  y: z.number().min(0).max(20_000),
  width: z.number().positive().max(20_000),
  height: z.number().positive().max(20_000),
});

export const SendPayloadSchema = z.strictObject({
  ...HEAD,
  kind: z.literal("send"),
  revision: z.int().min(1).max(1_000_000),
  documents: z
    .array(z.strictObject({ digest: Digest, version: z.int().min(1) }))
    .min(1)
    .max(100),
  /** `version` is null where the platform reports none (ID-9). */
  template: z.strictObject({ id: OpaqueId, version: OpaqueId.nullable() }).nullable(),
  merge_fields: z
    .array(z.strictObject({ name: RoleName, value_ref: OpaqueId, value_digest: Digest }))
    .max(500),
  signers: z.array(SignerSchema).min(1).max(1000),
  routing: z.enum(["sequential", "parallel"]),
  placement: z.array(PlacementSchema).max(5000),
  signature_policy: OpaqueId,
  expires_at: InstantSchema,
  business_deadline: BusinessDeadlineSchema,
  /** One owner of reminders per workflow (RM-1); the interval is null when nobody reminds. */
  reminders: z.strictObject({
    owner: z.enum(["platform", "application"]),
    interval_days: z.int().min(1).max(365).nullable(),
  }),
  message: VaultTextSchema.nullable(),
  title: VaultTextSchema,
  timers: TimersSchema.exactOptional(),
  replaces: ReplacesSchema.exactOptional(),
});

export const RemindPayloadSchema = z.strictObject({
  ...ON_A_REQUEST,
  kind: z.literal("remind"),
  /** Those who are reminded; a subset of `expected.signers`. */
  signers: z.array(SignerSchema).min(1).max(1000),
  message: VaultTextSchema.nullable(),
});

export const ResendPayloadSchema = z.strictObject({
  ...ON_A_REQUEST,
  kind: z.literal("resend"),
  signers: z.array(SignerSchema).min(1).max(1000),
  /** The expiry that the platform sets by itself on a resend; null where it keeps the present one. */
  moves_expiry_to: InstantSchema.nullable(),
  /** Only where the platform counts the new expiry from the call: the instant is then known only about. */
  moves_expiry: z.literal("from_the_call").exactOptional(),
});

export const ExpirePayloadSchema = z.strictObject({
  ...ON_A_REQUEST,
  kind: z.literal("expire"),
  /** Closed at this deadline; null closes the request at once. */
  business_deadline: BusinessDeadlineSchema.nullable(),
});

export const VoidPayloadSchema = z.strictObject({
  ...ON_A_REQUEST,
  kind: z.literal("void"),
  /** The reason that signers see; null where the platform shows none. */
  shown_reason: VaultTextSchema.nullable(),
});

export const PayloadSchema = z.discriminatedUnion("kind", [
  SendPayloadSchema,
  ResendPayloadSchema,
  RemindPayloadSchema,
  ExtendPayloadSchema,
  ExpirePayloadSchema,
  VoidPayloadSchema,
]);

export type Payload = z.infer<typeof PayloadSchema>;
export type PayloadOf<Kind extends Payload["kind"]> = Extract<Payload, { kind: Kind }>;
export type SendPayload = PayloadOf<"send">;
export type ExtendPayload = PayloadOf<"extend">;
export type RemindPayload = PayloadOf<"remind">;
export type ResendPayload = PayloadOf<"resend">;
export type ExpirePayload = PayloadOf<"expire">;
export type VoidPayload = PayloadOf<"void">;
export type PayloadSigner = z.infer<typeof SignerSchema>;
export type ExpectedState = z.infer<typeof ExpectedSchema>;
export type ApprovedTimers = z.infer<typeof TimersSchema>;
export type Replaces = z.infer<typeof ReplacesSchema>;

export interface WrittenPayload {
  /** The RFC 8785 text that is stored, shown and executed. */
  readonly text: string;
  /** SHA-256 of that text. */
  readonly hash: string;
}

/** The one text and hash of a payload (ID-3). Throws ZodError or CanonicalError for what cannot be approved. */
export function writePayload(payload: Payload): WrittenPayload {
  const text = canonicalText(PayloadSchema.parse(payload));
  return { text, hash: sha256Hex(text) };
}

/**
 * Reads a stored canonical text back. Throws CanonicalError or ZodError when it is no payload of a version that
 * this program knows, and an invariant error when the text is not canonical: such an operation is never acted on.
 */
export function parsePayload(storedText: string): Payload {
  const value = parseStrictJson(storedText);
  invariant(canonicalText(value) === storedText, "a stored payload is in its canonical form");
  return PayloadSchema.parse(value);
}
