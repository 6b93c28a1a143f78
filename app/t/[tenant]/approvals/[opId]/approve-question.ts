import { signerCount, zoneOf } from "@/lib/domain/asked";
import { BusinessDeadlineSchema } from "@/lib/domain/business-deadline";
import { formatDeadline, formatLocal } from "@/lib/domain/deadline";
import { signedSentence } from "@/lib/domain/signed-words";
import type { ApproveView } from "@/lib/queries/approve-page";

export interface Question {
  readonly heading: string;
  /** What happens, and whether it can be undone. */
  readonly body: string;
  /** True for what nobody can take back: the reference has to be typed. */
  readonly typed: boolean;
}

/**
 * What is asked once more before an approval (screens 3.26); null for an extension and a reminder, for which the page
 * itself is the check. `reason` is what the proposer wrote; null where it can no longer be read.
 */
export function approveQuestion(view: ApproveView, reason: string | null): Question | null {
  const { kind, request } = view;
  switch (kind) {
    case "void":
      return {
        heading: `Approve voiding ${request.ref}?`,
        body: voidBody(view, reason),
        typed: true,
      };
    case "expire":
      return {
        heading: `Approve closing ${request.ref} ${closesAt(view)}?`,
        body: expireBody(view),
        typed: false,
      };
    case "send":
      return sendQuestion(view);
    case "resend":
      return { heading: `Approve resending ${request.ref}?`, body: resendBody(view), typed: false };
    default:
      return null;
  }
}

function voidBody({ asked, request }: ApproveView, reason: string | null): string {
  const seen = asked?.showsReason
    ? `Signers see the reason “${reason ?? "(it was erased)"}”.`
    : "This platform shows signers no reason.";
  return [signedSentence(request.signed, request.signerCount), seen, "A void cannot be undone."]
    .filter((sentence) => sentence !== null)
    .join(" ");
}

function closesAt({ asked, request }: ApproveView): string {
  if (!asked?.targetAt) return "now";
  return `at ${formatLocal(asked.targetAt, zoneOf(asked, request.zone))}`;
}

function expireBody({ asked, request }: ApproveView): string {
  if (asked?.targetAt) return "Nobody can sign after that.";
  const deadline = BusinessDeadlineSchema.safeParse(request.businessDeadline?.approved).data;
  const would = deadline
    ? ` Business deadline would be ${formatDeadline(deadline.instant, deadline.zone).line1}.`
    : "";
  return `Nobody can sign after this.${would}`;
}

function sendQuestion({ asked, kind, request }: ApproveView): Question {
  if (asked === null)
    return { heading: `Approve ${kind} of ${request.ref}?`, body: "", typed: false };
  const digests = asked.documentDigests.map((digest) => digest.slice(0, 8)).join(", ");
  const until = asked.targetAt && formatLocal(asked.targetAt, zoneOf(asked, request.zone));
  const count = asked.documentDigests.length;
  return {
    heading: `Approve sending to ${signerCount(asked)}?`,
    body: `Documents ${count}, digests ${digests}; deadline ${until}. It cannot be unsent, only voided.`,
    typed: false,
  };
}

function resendBody({ asked, request }: ApproveView): string {
  const again =
    asked === null
      ? "The signers are contacted again."
      : `${signerCount(asked)} ${asked.signers === 1 ? "is" : "are"} contacted again.`;
  if (!asked?.movesExpiry) return `${again} This platform leaves the expiry as it is.`;
  const to =
    asked.targetAt === null
      ? "by its own days, counted from the call"
      : `to about ${formatLocal(asked.targetAt, zoneOf(asked, request.zone))}`;
  return `${again} This platform also moves the expiry ${to}.`;
}
