import { CONTACT_WORDS, newestOf, possibleFrom } from "@/lib/domain/contact";
import { formatAge, formatMoment } from "@/lib/domain/deadline";
import type { RemindPayload } from "@/lib/domain/payload";
import type { Policy } from "@/lib/domain/policy";
import { Refusal } from "@/lib/domain/refusal";
import { newestContact } from "@/lib/store/contacts";
import type { RequestRow } from "@/lib/store/requests";
import type { Proposing } from "./change-proposal";

/** Throws Refusal `reminder_owner_platform` where reminding is the platform's (RM-1). */
export function refusePlatformOwner({ reminderOwner }: RequestRow): void {
  if (reminderOwner === "platform") throw new Refusal("reminder_owner_platform");
}

/**
 * Throws Refusal `reminder_too_soon` while one of the signers was contacted less than the minimum interval ago, by
 * whomever (RM-2); it says by whom, and when the next one is possible. The worker looks again before it reminds.
 */
export async function refuseTooSoon(
  { tx, actor, request, at }: Proposing<RemindPayload>,
  { signers }: RemindPayload,
  { minIntervalHours }: Policy,
): Promise<void> {
  const subjectRefs = signers.map(({ subject_ref: subjectRef }) => subjectRef);
  const known = await newestContact(tx, actor.tenantId, request.ref, subjectRefs);
  const last = newestOf(known, request.mirrorLastReminderAt);
  const from = possibleFrom(last, minIntervalHours, at);
  if (last === null || from === null) return;
  throw new Refusal("reminder_too_soon", {
    values: {
      age: formatAge(last.at.toISOString(), at.toISOString()).replace(/ ago$/, ""),
      source: CONTACT_WORDS[last.source],
      moment: formatMoment(from.toISOString()),
    },
    extensions: {
      last_at: last.at.toISOString(),
      last_by: last.source,
      possible_at: from.toISOString(),
    },
  });
}
