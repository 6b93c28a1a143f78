import { CONSEQUENCE_WORDS, type Consequence } from "./consequence";
import { formatMoment } from "./deadline";
import type { NoticeKind } from "./notice";
import { reasonSentence } from "./reason-sentence";

/** What a message tells. Codes, figures and opaque references; nothing in it says who signs what (PV-4). */
export interface NoticeFacts {
  readonly kind: NoticeKind;
  readonly escalation: boolean;
  readonly reason: string | null;
  readonly consequence: string | null;
  readonly count: number;
  readonly losesAt: string | null;
  /** `account:<uuid>` or `team:<name>`. */
  readonly audience: string;
  readonly openedAt: string;
  /** Where it leads in the console. */
  readonly url: string;
}

export interface NoticeText {
  readonly subject: string;
  readonly lines: readonly string[];
}

const TEAM_WORDS: Readonly<Record<string, string>> = {
  "team:on-call": "the on-call engineers",
  "team:account-managers": "the account managers",
  "team:compliance": "the compliance officers",
  "team:admins": "the admins",
};

/** A team as it is called in a sentence. */
export function teamWords(team: string): string {
  return TEAM_WORDS[team] ?? team.replace(/^team:/, "");
}

/** What `reasonSentence` writes where it has no value. */
const GAP = "(not recorded)";

interface KindWords {
  /** For one thing and for `n` things. */
  readonly one: string;
  readonly many: string;
  readonly what: string;
}

const KIND_WORDS: Record<NoticeKind, KindWords> = {
  review_opened: {
    one: "1 item waits for a decision",
    many: "{n} items wait for a decision",
    what: "Something came into the review queue that only a person can decide.",
  },
  review_reminder: {
    one: "1 item still waits for a decision",
    many: "{n} items still wait for a decision",
    what: "Half of the time is over that such an item may wait.",
  },
  review_breached: {
    one: "1 item waits too long",
    many: "{n} items wait too long",
    what: "The limit for their age has passed, and nobody has decided.",
  },
  review_escalated: {
    one: "1 item waits too long and comes to you",
    many: "{n} items wait too long and come to you",
    what: "Whoever was told before has not decided. You are next in line.",
  },
  review_returned: {
    one: "1 item is back in the queue",
    many: "{n} items are back in the queue",
    what: "It was set aside for a time. That time is over, or something new is known.",
  },
  unknown_past_age: {
    one: "1 operation stays unknown",
    many: "{n} operations stay unknown",
    what: "Whether the platform applied it is not known yet. It is not repeated; we go on looking.",
  },
  approval_waiting: {
    one: "1 proposal waits for your approval",
    many: "{n} proposals wait for your approval",
    what: "Nothing happens at the platform before the people who are needed have approved.",
  },
  second_person_wanted: {
    one: "1 decision waits for a second person",
    many: "{n} decisions wait for a second person",
    what: "A fresh read does not agree with a decision. Somebody else must look at it.",
  },
  unowned: {
    one: "1 item has lost its owner",
    many: "{n} items have lost their owner",
    what: "The person is no longer a member, so the team owns it again.",
  },
  unreached: {
    one: "1 item of which nobody could be told",
    many: "{n} items of which nobody could be told",
    what: "Whoever was to be told could not be reached. You are next in line.",
  },
  test: {
    one: "Test message",
    many: "Test message",
    what: "This is a test. Messages about deadlines arrive by this way.",
  },
};

/** The heading of a notice: how many of what, with the reason by its name. */
export function noticeHeading(
  facts: Pick<NoticeFacts, "kind" | "reason" | "count" | "escalation">,
): string {
  const { one, many } = KIND_WORDS[facts.kind];
  const what = facts.count === 1 ? one : many.replace("{n}", String(facts.count));
  const reason = facts.reason === null ? "" : `: ${facts.reason.replaceAll("_", " ")}`;
  return `${facts.escalation ? "Escalation: " : ""}${what}${reason}`;
}

/** What happened, what is lost when, whose it is. `zone` is the reader's. */
export function noticeText(facts: NoticeFacts, zone = "UTC"): NoticeText {
  const heading = noticeHeading(facts);
  const lines = [
    KIND_WORDS[facts.kind].what,
    ...reasonLine(facts.reason),
    ...consequenceLine(facts.consequence),
    ...(facts.losesAt === null
      ? []
      : [`The first deadline is lost at ${formatMoment(facts.losesAt, zone)}.`]),
    ...(facts.kind === "test" ? [] : [`Whose it is: ${ownerWords(facts.audience)}.`]),
  ];
  return { subject: `[Deadline Ledger] ${heading}`, lines };
}

/** A sentence that needs the values of one item says nothing about many. */
function reasonLine(reason: string | null): readonly string[] {
  const sentence = reason === null ? "" : reasonSentence(reason);
  return sentence === "" || sentence.includes(GAP) ? [] : [sentence];
}

function consequenceLine(consequence: string | null): readonly string[] {
  if (consequence === null) return [];
  const word = CONSEQUENCE_WORDS[consequence as Consequence] ?? consequence;
  return [`Consequence of waiting: ${word.toLowerCase()}.`];
}

function ownerWords(audience: string): string {
  return audience.startsWith("team:") ? teamWords(audience) : "yours";
}
