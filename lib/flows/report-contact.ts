import { newestOf, possibleFrom } from "@/lib/domain/contact";
import { Refusal } from "@/lib/domain/refusal";
import { isInstant } from "@/lib/domain/zone";
import { newestContact, recordContacts } from "@/lib/store/contacts";
import { asTenant, ledgerNow } from "@/lib/store/db";
import { presentPolicy } from "@/lib/store/policies";
import { reportedAt } from "@/lib/store/reported-contacts";
import { lockRequest, signersOf } from "@/lib/store/requests";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permit } from "./permit";

export interface ContactReport {
  readonly requestRef: string;
  /** Who was contacted; null stands for every signer of the request. */
  readonly subjectRefs: readonly string[] | null;
  /** When, RFC 3339 in UTC. */
  readonly at: string;
}

export interface ContactReported {
  /** How many contacts were new; 0 when the same report came before. */
  readonly recorded: number;
  /** From when on these signers may be reminded again; null when they may be now. */
  readonly possibleAt: string | null;
}

/**
 * Records contacts with signers that were made outside this ledger (RM-2): they count for the interval between
 * reminders. The same report again records nothing. Throws Refusal: `not_found`, `fields_unusable`.
 */
export async function reportContact(
  ctx: ConsoleContext,
  actor: Actor,
  { requestRef, subjectRefs: chosen, at: text }: ContactReport,
): Promise<ContactReported> {
  permit(actor, "contact.report");
  const { tenantId } = actor;
  return asTenant(ctx.db, tenantId, async (tx) => {
    const request = await lockRequest(tx, tenantId, requestRef);
    if (!request) throw new Refusal("not_found");
    const now = await ledgerNow(tx);
    const at = pastInstant(text, now);
    const signers = await signersOf(tx, tenantId, requestRef);
    const known = signers.map(({ subjectRef }) => subjectRef);
    const subjectRefs = chosen ?? known;
    if (subjectRefs.length === 0 || subjectRefs.some((ref) => !known.includes(ref))) {
      throw unusable("subjectRefs", "Choose from the signers of this request.");
    }
    const there = await reportedAt(tx, tenantId, requestRef, subjectRefs, at);
    const recorded = await recordContacts(tx, tenantId, {
      requestRef,
      subjectRefs: subjectRefs.filter((ref) => !there.has(ref)),
      source: "elsewhere",
      opId: null,
      at,
      certain: true,
      recordedBy: actorName(actor),
    });
    const newest = await newestContact(tx, tenantId, requestRef, subjectRefs);
    const last = newestOf(newest, request.mirrorLastReminderAt);
    const { policy } = await presentPolicy(tx, tenantId, "remind");
    const from = possibleFrom(last, policy.minIntervalHours, now);
    return { recorded, possibleAt: from?.toISOString() ?? null };
  });
}

/** Throws Refusal `fields_unusable` for what is no instant or has not come yet. */
function pastInstant(text: string, now: Date): Date {
  if (!isInstant(text)) throw unusable("at", "Write the moment as 2027-03-31T15:00:00Z.");
  const at = new Date(text);
  if (at > now) throw unusable("at", "A contact cannot be reported before it was made.");
  return at;
}

function unusable(path: string, sentence: string): Refusal {
  return new Refusal("fields_unusable", { fields: [{ path, sentence }] });
}
