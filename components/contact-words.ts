import { CONTACT_WORDS, type ContactSource } from "@/lib/domain/contact";
import { formatAge, formatMoment } from "@/lib/domain/deadline";
import { REFUSALS } from "@/lib/domain/refusal-words";
import { filled } from "@/lib/domain/sentence";
import { epochOf } from "@/lib/domain/zone";

interface Contacted {
  readonly last: { readonly at: string; readonly by: ContactSource } | null;
  readonly possibleAt: string | null;
}

/** "Last reminder 2 d 4 h ago by the platform. Possible from 2026-12-01 16:00:00Z." */
export function contactSentence({ last, possibleAt }: Contacted, now: string): string {
  const before =
    last === null
      ? "Not contacted since it was sent."
      : `Last contact ${formatAge(last.at, now)} by ${CONTACT_WORDS[last.by]}.`;
  const waits = possibleAt !== null && epochOf(possibleAt) > epochOf(now);
  return `${before} ${waits ? `Possible from ${formatMoment(possibleAt)}.` : "Possible now."}`;
}

/** Why this signer is not reminded yet, in the words in which the server refuses it; null when nothing is against it. */
export function tooSoonSentence({ last, possibleAt }: Contacted, now: string): string | null {
  if (last === null || possibleAt === null || epochOf(possibleAt) <= epochOf(now)) return null;
  return filled(REFUSALS.reminder_too_soon.sentence, {
    age: formatAge(last.at, now).replace(/ ago$/, ""),
    source: CONTACT_WORDS[last.by],
    moment: formatMoment(possibleAt),
  });
}
