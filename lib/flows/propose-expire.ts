import { type BusinessDeadline, BusinessDeadlineSchema } from "@/lib/domain/business-deadline";
import { formatDeadline } from "@/lib/domain/deadline";
import type { ExpirePayload } from "@/lib/domain/payload";
import { Refusal } from "@/lib/domain/refusal";
import { type Change, type ChangeWish, type Proposing, proposeChange } from "./change-proposal";
import type { Actor, ConsoleContext } from "./context";
import type { Proposed } from "./settle-key";

export interface ExpiryWish extends ChangeWish {
  /** Closed as soon as it is approved, or at the business deadline that was approved for the request. */
  readonly when: "now" | "business_deadline";
}

/**
 * Proposes to close a request at its platform, as every change is proposed. Throws Refusal, having changed nothing;
 * `fields_unusable` when the request has no approved deadline, `deadline_in_past` when that has passed.
 */
export function proposeExpiry(
  ctx: ConsoleContext,
  actor: Actor,
  wish: ExpiryWish,
): Promise<Proposed> {
  return proposeChange(ctx, actor, wish, expiry(wish));
}

function expiry({ when }: ExpiryWish): Change<ExpirePayload> {
  return {
    kind: "expire",
    payload: async (proposing) => ({
      ...proposing.head,
      kind: "expire",
      business_deadline: when === "now" ? null : deadlineOf(proposing),
    }),
    isSame: (open, asked) => open.business_deadline?.instant === asked.business_deadline?.instant,
    dueAt: ({ business_deadline: deadline }) => deadline && new Date(deadline.instant),
  };
}

/** The deadline of the request; a repeat keeps the one that was meant first, also where an extension moved it. */
function deadlineOf({ request, earlier, at }: Proposing<ExpirePayload>): BusinessDeadline {
  if (earlier?.business_deadline) return earlier.business_deadline;
  const approved = request.businessDeadline;
  const read = approved && BusinessDeadlineSchema.safeParse(JSON.parse(approved)).data;
  if (!read) {
    const sentence = "No business deadline was approved for this request. Close it now instead.";
    throw new Refusal("fields_unusable", { fields: [{ path: "when", sentence }] });
  }
  if (Date.parse(read.instant) <= at.getTime()) {
    throw new Refusal("deadline_in_past", {
      values: { time: formatDeadline(read.instant, read.zone).line1 },
      fields: [{ path: "when", sentence: "The deadline has passed. Close it now instead." }],
    });
  }
  return read;
}
