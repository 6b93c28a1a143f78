import { personWords } from "@/components/person-words";
import { PURPOSE_WORDS, type ReceiptFacts, shortReceipt } from "@/components/read-receipt";
import { StateBadge } from "@/components/state-badge";
import type { ActorKind, TimelineEntry } from "@/components/timeline";
import { formatLocal } from "@/lib/domain/deadline";
import { reasonSentence } from "@/lib/domain/reason-sentence";
import { ROLE_LABELS, type Role } from "@/lib/domain/role";
import { filled } from "@/lib/domain/sentence";
import { OPERATION_WORDS, REQUEST_WORDS, type RequestWordCode } from "@/lib/domain/words";
import type { OperationPage } from "@/lib/queries/operation-page";
import type {
  StoryAttempt,
  StoryEvent,
  StoryInbound,
  StoryReceipt,
} from "@/lib/queries/operation-story";

/** Everything that happened, newest first: moves, calls, reads, people, and what came from the platform. */
export function timelineOf(page: OperationPage): readonly TimelineEntry[] {
  const entries = [
    ...page.events.map((event) => eventEntry(page, event)),
    ...page.attempts.flatMap((attempt) => callEntries(page, attempt)),
    ...page.receipts.map((receipt) => readEntry(page, receipt)),
    ...page.inbound.map(inboundEntry),
  ];
  // At one instant the history's own order holds, so that a claim stands above its approval.
  return entries
    .map((entry, place) => ({ entry, place }))
    .sort((a, b) => b.entry.at.localeCompare(a.entry.at) || b.place - a.place)
    .map(({ entry }) => entry);
}

/** Entries beside the moves, by kind; the others are moves. */
const ASIDE: Readonly<Record<string, string>> = {
  late_result: "Late result kept",
  successor_recorded: "Replacement recorded",
};

const BESIDE: Readonly<Record<string, string>> = {
  ...ASIDE,
  edited: "Proposal edited",
  approved_one: "One approval given",
  approval_withdrawn: "Approval withdrawn",
  check_asked: "Check asked for",
};

function eventEntry(page: OperationPage, event: StoryEvent): TimelineEntry {
  const beside = BESIDE[event.kind];
  const moved = event.from !== event.to;
  const badge = <StateBadge family="operation" code={event.to} reason={event.reason} />;
  const actor = actorOf(page, event.actor);
  return {
    id: `e${event.seq}`,
    at: event.at,
    kind: moved ? "state" : actor.kind === "user" || actor.kind === "key" ? "person" : "state",
    title: beside ? (
      <>
        {beside} {moved ? badge : null}
      </>
    ) : (
      badge
    ),
    actor,
    code: event.reason,
    branch: ASIDE[event.kind] !== undefined,
    ...(moved ? { sentence: eventSentence(page, event) } : {}),
    evidence: <Evidence event={event} />,
  };
}

/** The reason of one entry in words; where the entry does not hold what the words need, what its state means. */
function eventSentence(page: OperationPage, event: StoryEvent): string {
  const { operation, persons } = page;
  const role = persons[event.actor]?.role as Role | null | undefined;
  const { lease_ms: leaseMs, look } = event.evidence;
  const until = typeof leaseMs === "number" ? Date.parse(event.at) + leaseMs : null;
  const looked = event.reason === "look_started" && typeof look === "number";
  const sentence = reasonSentence(event.reason, {
    role: role ? `an ${ROLE_LABELS[role]}`.replace(/^an (?![aeiou])/, "a ") : null,
    version: event.version,
    hash: operation.payloadHash.slice(0, 8),
    w: event.actor.split(":")[1],
    n: looked ? look : numberIn(page, event),
    m: operation.looksMax,
    op: operation.successorOpId === null ? null : `op ${operation.successorOpId.slice(0, 8)}`,
    moment: READ_THEN.has(event.reason)
      ? clockOf(event.at)
      : until === null
        ? null
        : clockOf(new Date(until).toISOString()),
  });
  return sentence.includes("(not recorded)")
    ? filled(OPERATION_WORDS[event.to].sentence, {})
    : sentence;
}

/** Reasons that name the moment of the read that the entry was written from. */
const READ_THEN: ReadonlySet<string> = new Set([
  "effect_confirmed",
  "request_completed_first",
  "request_declined_first",
  "request_expired_first",
  "request_voided_first",
]);

function numberIn(page: OperationPage, event: StoryEvent): number | null {
  if (event.reason === "call_timed_out") return Math.round(page.connection.callTimeoutMs / 1000);
  if (event.reason === "approved") return event.version;
  return event.reason === "picked_up" ? event.fence : null;
}

function clockOf(instant: string): string {
  return `${instant.slice(11, 19)} UTC`;
}

/** What an entry rests on: receipts by their short name, everything else as it was written. */
function Evidence({ event }: { readonly event: StoryEvent }) {
  const words = Object.entries(event.evidence).flatMap(([name, value]) => {
    if (name === "receipt" && typeof value === "string") return [shortReceipt(value)];
    if (name === "receipts" && Array.isArray(value))
      return value.map((id) => shortReceipt(String(id)));
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
      const text = String(value);
      return [
        `${name.replaceAll("_", " ")} ${/^[0-9a-f]{64}$/.test(text) ? text.slice(0, 8) : text}`,
      ];
    }
    return [];
  });
  return words.length === 0 ? null : <>evidence: {words.join(" · ")}</>;
}

const OUTCOMES: Readonly<Record<string, string>> = {
  accepted: "The platform accepted it. A read decides whether it took effect.",
  unknown: "No answer that tells what happened.",
  no_call: "No call left the worker.",
  declined: "The platform declined it for now.",
  rejected_payload: "The platform refused the content.",
  rejected_fixable: "The platform refused for a reason that can be corrected.",
  precondition_failed: "The platform compared versions and changed nothing.",
  refused_state: "The platform refused because of the request's state.",
};

/** A call as it left; an outcome that came late stands apart, at its own time. */
function callEntries(page: OperationPage, attempt: StoryAttempt): TimelineEntry[] {
  const { fence, worker, late, outcome, reportedAt } = attempt;
  const actor = { kind: "worker" as const, label: worker ? `worker ${worker}` : "a worker" };
  const words = outcome === null ? null : (OUTCOMES[outcome] ?? outcome);
  const call: TimelineEntry = {
    id: `c${fence}`,
    at: attempt.intentAt,
    kind: "call",
    title: `Call ${page.operation.kind}, fence ${fence}`,
    actor,
    sentence: late || words === null ? "No outcome was reported under its lease." : words,
    evidence: `sent hash ${page.operation.payloadHash.slice(0, 8)}`,
  };
  if (!late || reportedAt === null || words === null) return [call];
  const title = `Late report of fence ${fence}`;
  const sentence = `${words} It changed nothing and is kept as evidence.`;
  return [
    call,
    { id: `l${fence}`, at: reportedAt, kind: "call", title, actor, sentence, branch: true },
  ];
}

function readEntry(page: OperationPage, receipt: StoryReceipt): TimelineEntry {
  const purpose = PURPOSE_WORDS[receipt.purpose as ReceiptFacts["purpose"]] ?? receipt.purpose;
  return {
    id: receipt.id,
    at: receipt.startedAt,
    kind: "read",
    title: `Read ${shortReceipt(receipt.id)}: ${purpose.toLowerCase()}`,
    actor: null,
    sentence: readWords(receipt, page.request.zone),
  };
}

function readWords(receipt: StoryReceipt, zone: string): string {
  if (receipt.outcome !== "read")
    return `The read came to: ${receipt.outcome.replaceAll("_", " ")}.`;
  const parts = [
    receipt.status !== null && Object.hasOwn(REQUEST_WORDS, receipt.status)
      ? REQUEST_WORDS[receipt.status as RequestWordCode].label
      : receipt.status,
    receipt.expiresAt === null ? null : `expiry ${formatLocal(receipt.expiresAt, zone)}`,
    receipt.version === null ? null : `version ${receipt.version}`,
    receipt.matches === 1 ? null : `${receipt.matches} matches`,
  ];
  return parts.filter((part) => part !== null).join(" · ");
}

function inboundEntry(event: StoryInbound): TimelineEntry {
  return {
    id: event.id,
    at: event.receivedAt,
    kind: "event",
    title: `Event ${event.type}`,
    actor: { kind: "platform", label: "the platform" },
    sentence: `${event.outcome.replaceAll("_", " ")}${event.copies > 1 ? `, ${event.copies} copies` : ""}.`,
    branch: true,
  };
}

/** The actor of a history entry in words; people by their role, never by a name (PV-4). */
export function actorOf(
  page: Pick<OperationPage, "persons">,
  name: string,
): { readonly kind: ActorKind; readonly label: string } {
  const [kind = "system", rest = ""] = name.split(":");
  if (kind === "worker" || kind === "platform" || kind === "policy")
    return { kind, label: `${kind} ${rest}` };
  const person = page.persons[name];
  if (kind === "user" || kind === "key") {
    return {
      kind,
      label: person ? personWords(person) : kind === "user" ? "a person" : "an API key",
    };
  }
  return { kind: "system", label: rest === "" ? "the ledger" : `the ledger (${rest})` };
}
