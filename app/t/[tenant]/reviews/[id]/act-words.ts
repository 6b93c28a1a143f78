import { ownerText } from "@/app/t/[tenant]/reviews/owner-text";
import type { ActorKind } from "@/components/timeline";
import { formatMoment } from "@/lib/domain/deadline";
import type { DecisionCode } from "@/lib/domain/decision";
import type { DecisionFamily } from "@/lib/domain/decision-family";
import { decisionWord } from "@/lib/domain/decision-words";

/** One entry of what was done about an item. */
export interface ActFacts {
  readonly act: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** What an act was, in words: "Handed over to the admins", "Decision: recorded as applied". */
export function actTitle(
  { act, detail }: ActFacts,
  accountId: string,
  family: DecisionFamily,
): string {
  const to = textOf(detail, "to") ?? textOf(detail, "owner");
  const until = textOf(detail, "until");
  const option = textOf(detail, "option");
  const about = [
    to !== null && NAMES_OWNER.includes(act)
      ? ` ${act === "opened" ? "for" : "to"} ${ownerText(to, accountId)}`
      : "",
    // The database writes `+00:00` where everything else writes `Z`.
    until === null ? "" : ` until ${formatMoment(new Date(until).toISOString())}`,
    option === null ? "" : `: ${decisionWord(option as DecisionCode, family).decided}`,
  ];
  return `${TITLES[act] ?? act.replaceAll("_", " ")}${about.join("")}`;
}

const TITLES: Readonly<Record<string, string>> = {
  opened: "Opened",
  routed: "Routed",
  assigned: "Assigned",
  handed_over: "Handed over",
  acknowledged: "Acknowledged",
  ack_expired: "Acknowledgement ended",
  snoozed: "Snoozed",
  snooze_ended: "Snooze ended",
  alerted: "Alert sent",
  escalated: "Escalated",
  regressed: "New evidence",
  decided: "Decision",
  override_asked: "Second person asked for",
  override_confirmed: "Confirmed against the read",
  override_refused: "Refused by the second person",
  settled: "Settled by a read",
  seen: "Marked as seen",
  closed: "Closed",
};

const NAMES_OWNER: readonly string[] = [
  "opened",
  "routed",
  "assigned",
  "handed_over",
  "alerted",
  "escalated",
];

function textOf(detail: ActFacts["detail"], name: string): string | null {
  const value = detail[name];
  return typeof value === "string" ? value : null;
}

/** The mark of whoever acted: a person, a rule, a worker or the ledger itself. */
export function actorKind(actor: string): ActorKind {
  const [kind] = actor.split(":");
  if (kind === "user" || kind === "key" || kind === "worker" || kind === "platform") return kind;
  return kind === "rule" || kind === "policy" ? "policy" : "system";
}
