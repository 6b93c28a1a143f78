import { z } from "zod";
import { LOCAL_CHOICES } from "@/lib/domain/deadline";
import { REASON_LENGTH_MAX } from "@/lib/domain/reason-text";
import { Refusal } from "@/lib/domain/refusal";

/** Characters of one text field; longer ones are cut off here, before any rule looks at them. */
const TEXT_MAX = 300;

const deadlineShape = {
  date: z.string().max(TEXT_MAX).describe("Local date, as in 2027-03-31"),
  time: z.string().max(TEXT_MAX).describe("Local time, as in 17:00"),
  zone: z.string().max(TEXT_MAX).describe("IANA zone of date and time, as in Europe/Berlin"),
  choice: z
    .enum(LOCAL_CHOICES)
    .optional()
    .describe("The answer where the time does not exist or exists twice; needed only there"),
};

const reason = z
  .string()
  .max(REASON_LENGTH_MAX)
  .describe("Why; it becomes part of the history. No addresses, phone numbers or links");

const approvalId = z
  .string()
  .max(1000)
  .describe("UUID made when the form was opened; every repeat of this proposal carries the same");

/** Version and hash as they were on screen (AP-1). */
const shownShape = {
  version: z.int().min(1).describe("The version that was on screen"),
  hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe("SHA-256 of the canonical payload that was on screen"),
};

/** What every proposal to change a request that exists carries. */
const changeShape = {
  approvalId,
  reason,
  supersedesOpId: z.guid().nullish().describe("The operation of this request that it replaces"),
  goOnReason: reason
    .nullish()
    .describe("Why to go on although an open operation of this request asks for the same"),
};

export const ExtensionBody = z.strictObject({ ...changeShape, ...deadlineShape });

const subjectRefs = z
  .array(z.string().max(TEXT_MAX))
  .max(100)
  .nullish()
  .describe("Signers by reference; all who may still sign when left out");

export const ReminderBody = z.strictObject({
  ...changeShape,
  subjectRefs,
  message: z.string().max(5000).nullish().describe("What signers read; vaulted"),
});

export const ResendBody = z.strictObject(changeShape);

export const ExpiryBody = z.strictObject({
  ...changeShape,
  when: z
    .enum(["now", "business_deadline"])
    .describe("As soon as it is approved, or at the approved business deadline"),
});

export const VoidBody = z.strictObject(changeShape);

export const ContactBody = z.strictObject({
  subjectRefs: subjectRefs.describe("Who was contacted; every signer when left out"),
  at: z.string().max(TEXT_MAX).describe("When, as in 2027-03-31T15:00:00Z"),
});

export const ContactAnswer = z.object({
  recorded: z.int().describe("How many contacts were new; 0 for a repeated report"),
  possibleAt: z.iso.datetime().nullable().describe("When these signers may be reminded again"),
});

const signerShape = {
  role: z.string().min(1).max(100).describe("Role in the document, as in tenant"),
  order: z.int().min(1).max(1000).describe("Signing order from 1; equal numbers sign together"),
};

export const SendBody = z.strictObject({
  approvalId,
  requestRef: z
    .string()
    .regex(/^[A-Za-z0-9_-]{3,60}$/)
    .refine((ref) => !RESERVED.has(ref))
    .describe("Your own reference of the new request; opaque, without personal data"),
  connectionId: z.guid().describe("The platform connection to send through"),
  documents: z
    .array(
      z.strictObject({
        digest: z
          .string()
          .regex(/^[0-9a-f]{64}$/)
          .describe("SHA-256 of the document's bytes"),
        version: z.int().min(1).describe("Version of the document"),
      }),
    )
    .min(1)
    .max(100),
  template: z
    .strictObject({ id: z.string().min(1).max(200), version: z.string().max(200).nullable() })
    .nullish()
    .describe("A template at the platform, with its version where the platform reports one"),
  signers: z
    .array(
      z.union([
        z.strictObject({
          ...signerShape,
          name: z.string().min(1).max(200).describe("Goes into the vault"),
          email: z.email().max(320).describe("Goes into the vault"),
        }),
        z.strictObject({
          ...signerShape,
          subjectRef: z
            .string()
            .regex(/^s_[a-z0-9]{8,40}$/)
            .describe("Somebody who is in the vault already"),
        }),
      ]),
    )
    .min(1)
    .max(100),
  title: z.string().trim().min(1).max(200).describe("What signers see as the title; vaulted"),
  message: z.string().max(5000).nullish().describe("What signers read; vaulted"),
  ...deadlineShape,
  reminders: z
    .strictObject({
      owner: z
        .enum(["platform", "application"])
        .optional()
        .describe("Who reminds; the policy for reminders says it where this is left out"),
      intervalDays: z.int().min(1).max(365).nullish(),
    })
    .describe("One owner of reminders per request"),
  signaturePolicy: z.string().min(1).max(200).nullish(),
  routing: z.enum(["sequential", "parallel"]).nullish(),
  replaces: z
    .strictObject({
      supersedesOpId: z.guid().describe("The send of this request that it takes the place of"),
      revision: z.int().min(2).max(1_000_000).describe("One more than the highest so far"),
      reason,
      startAtOnce: z
        .boolean()
        .optional()
        .describe("Start before the void of the earlier one is confirmed; the approver sees it"),
    })
    .nullish()
    .describe("What it corrects; its approval carries the void of what the earlier send made"),
});

/** Words that stand for pages of their own under a list. */
const RESERVED = new Set(["new", "selections", "verify", "packs", "subscribers"]);

export const EditBody = z.strictObject({
  version: z.int().min(1).describe("The version that was on screen"),
  ...deadlineShape,
  reason,
});

export const ApprovalBody = z.strictObject({
  ...shownShape,
  receiptId: z.guid().nullish().describe("The read of the request that was on screen"),
});

export const RejectionBody = z.strictObject({ ...shownShape, reason });

export const ReasonBody = z.strictObject({ reason });

export const RevealBody = z.strictObject({ reason: reason.nullish() });

export const ProposedAnswer = z.object({
  opId: z.guid(),
  version: z.int(),
  state: z.string(),
  duplicate: z.boolean().describe("True when this operation existed and nothing was added"),
});

export const EndedAnswer = z.object({ opId: z.guid(), state: z.string() });

/** The common members of a proposed change, with null for what was left out. */
export function changeIn(
  body: {
    readonly approvalId: string;
    readonly reason: string;
    readonly supersedesOpId?: string | null | undefined;
    readonly goOnReason?: string | null | undefined;
  },
  ref: string,
) {
  const { approvalId, reason, supersedesOpId, goOnReason } = body;
  return {
    approvalId,
    requestRef: refIn(ref),
    reason,
    supersedesOpId: supersedesOpId ?? null,
    goOnReason: goOnReason ?? null,
  };
}

/** The chosen words of a body, with the answer to a clock change where there is one. */
export function deadlineIn(body: {
  readonly date: string;
  readonly time: string;
  readonly zone: string;
  readonly choice?: (typeof LOCAL_CHOICES)[number] | undefined;
}) {
  const { date, time, zone, choice } = body;
  return { date, time, zone, ...(choice === undefined ? {} : { choice }) };
}

/** An id from a path. Throws Refusal `not_found` for what cannot be one: it names nothing here. */
export function idIn(text: string): string {
  if (!z.guid().safeParse(text).success) throw new Refusal("not_found");
  return text.toLowerCase();
}

/** A reference from a path, as `idIn`. */
export function refIn(text: string): string {
  if (!/^[A-Za-z0-9_-]{1,60}$/.test(text)) throw new Refusal("not_found");
  return text;
}

export const RefParams = z.object({ ref: z.string().describe("Our reference of the request") });
export const OpIdParams = z.object({ opId: z.string().describe("Id of the operation") });
