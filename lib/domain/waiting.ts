import { formatDay } from "./deadline";
import type { OperationKind, OperationState } from "./operation";
import { isFinal } from "./operation";
import type { ReasonCode } from "./reason";
import { sentenceOf } from "./reason";
import { filled } from "./sentence";
import { OPERATION_WORDS } from "./words";
import { epochOf, localOf } from "./zone";

/** Another operation of the same request, as far as it matters for this one. */
export interface Neighbour {
  readonly opId: string;
  readonly kind: OperationKind;
  readonly state: OperationState;
}

/** What the ledger knows about the things that an operation can wait for. Instants are RFC 3339 in UTC. */
export interface WaitingFacts {
  readonly state: OperationState;
  readonly now: string;
  readonly approvalsHave: number;
  readonly approvalsNeed: number;
  readonly approvalExpiresAt: string | null;
  readonly dueAt: string;
  /** The operation that holds the request; null while it is free. */
  readonly heldBy: Neighbour | null;
  /** Later operations of the request that this one holds. */
  readonly holdsBack: readonly Neighbour[];
  readonly pausedBy: { readonly scope: string; readonly since: string } | null;
  /** The quota that is used up (CL-5), and about how many wait before this one; null while there is room. */
  readonly quotaFull: {
    readonly of: "in_flight" | "calls";
    readonly scope: "connection" | "tenant";
    readonly used: number;
    readonly limit: number;
    readonly ahead: number;
  } | null;
  /** When the next read for an operation fits into the connection's budget (PL-7); null while one fits now. */
  readonly readsFreeAt: string | null;
  readonly leaseUntil: string | null;
  readonly nextLookAt: string | null;
  readonly looks: number;
  readonly looksMax: number;
  readonly owner: string | null;
}

export type ConditionName =
  | "approval"
  | "due"
  | "request_free"
  | "not_paused"
  | "capacity"
  | "reads"
  | "platform"
  | "person";

export interface Condition {
  readonly name: ConditionName;
  readonly label: string;
  /** `met`: done with. `holds`: this is what it waits for now. `ahead`: comes later. */
  readonly status: "met" | "holds" | "ahead";
  /** Null where the label says everything. */
  readonly sentence: string | null;
  readonly code: ReasonCode | null;
  /** The operation that one can open to see why. */
  readonly about: Neighbour | null;
}

export interface Waiting {
  readonly conditions: readonly Condition[];
  readonly holdsBack: readonly Neighbour[];
  /** When something happens next by itself; null where a person or another operation moves first. */
  readonly next: string | null;
}

/**
 * The ordered answer to "what is it waiting for?": at most one condition holds, the first that is not met. A final
 * operation waits for nothing.
 */
export function waitingFor(facts: WaitingFacts): Waiting {
  if (isFinal(facts.state)) return { conditions: [], holdsBack: [], next: null };
  const drafts = [
    approval(facts),
    due(facts),
    free(facts),
    running(facts),
    capacity(facts),
    reads(facts),
    platform(facts),
  ];
  if (facts.state === "quarantined" || facts.state === "needs_review") drafts.push(person(facts));
  let held = false;
  const conditions = drafts.map(({ met, ...rest }): Condition => {
    const status = met ? "met" : held ? "ahead" : "holds";
    if (!met) held = true;
    return { ...rest, status };
  });
  return { conditions, holdsBack: facts.holdsBack, next: nextOf(facts, conditions) };
}

type Draft = Omit<Condition, "status"> & { readonly met: boolean };

function draft(name: ConditionName, label: string, met: boolean, more: Partial<Draft> = {}): Draft {
  return { name, label, met, sentence: null, code: null, about: null, ...more };
}

/** True from the moment a worker took it: the conditions before the call are behind it then. */
function started({ state }: WaitingFacts): boolean {
  return state !== "proposed" && state !== "scheduled";
}

function approval(facts: WaitingFacts): Draft {
  const { approvalsHave: k, approvalsNeed: n, approvalExpiresAt, state } = facts;
  if (state !== "proposed") return draft("approval", "Approval", true);
  const moment = approvalExpiresAt === null ? null : clockWords(approvalExpiresAt, facts.now);
  const sentence = sentenceOf("awaiting_approval", { k, n, moment });
  return draft("approval", `Approval ${k} of ${n}`, false, { sentence, code: "awaiting_approval" });
}

function due(facts: WaitingFacts): Draft {
  const met = started(facts) || epochOf(facts.dueAt) <= epochOf(facts.now);
  if (met) return draft("due", "Due", true);
  const moment = clockWords(facts.dueAt, facts.now);
  const sentence = sentenceOf("awaiting_due_time", { moment });
  return draft("due", "Due", false, { sentence, code: "awaiting_due_time" });
}

function free(facts: WaitingFacts): Draft {
  const about = started(facts) ? null : facts.heldBy;
  if (about === null) return draft("request_free", "Request free", true);
  const sentence = filled("Another change of this request is not settled: {kind} {op}, {state}.", {
    kind: about.kind,
    op: `op ${about.opId.slice(0, 8)}`,
    state: OPERATION_WORDS[about.state].label.toLowerCase(),
  });
  const code = "awaiting_earlier_operation";
  return draft("request_free", "Request free", false, { sentence, code, about });
}

function running(facts: WaitingFacts): Draft {
  const pause = started(facts) ? null : facts.pausedBy;
  if (pause === null) return draft("not_paused", "Not paused", true);
  const since = clockWords(pause.since, facts.now);
  const sentence = `Paused: ${pause.scope} since ${since}. It is not lost.`;
  return draft("not_paused", "Not paused", false, { sentence, code: "paused_by_kill_switch" });
}

function capacity(facts: WaitingFacts): Draft {
  const full = started(facts) ? null : facts.quotaFull;
  if (full === null) return draft("capacity", "Room in the quotas", true);
  const { used, limit, ahead: k, scope } = full;
  const where = scope === "connection" ? "on this connection" : "in this tenant";
  const sentence =
    full.of === "in_flight" && scope === "connection"
      ? sentenceOf("awaiting_capacity", { used, limit, k })
      : `${used} of ${limit} ${QUOTA_WORDS[full.of]} ${where}. About ${k} are ahead.`;
  return draft("capacity", "Room in the quotas", false, { sentence, code: "awaiting_capacity" });
}

const QUOTA_WORDS = {
  in_flight: "operations are in flight",
  calls: "calls of the last minute are used",
} as const;

function reads(facts: WaitingFacts): Draft {
  const freeAt = started(facts) ? null : facts.readsFreeAt;
  if (freeAt === null) return draft("reads", "Reads left", true);
  const sentence = sentenceOf("awaiting_read_budget", { moment: clockWords(freeAt, facts.now) });
  return draft("reads", "Reads left", false, { sentence, code: "awaiting_read_budget" });
}

function platform(facts: WaitingFacts): Draft {
  switch (facts.state) {
    case "claimed":
      return draft("platform", "Platform read", false, {
        sentence: "A worker reads the platform before it acts. Nothing has been sent.",
      });
    case "submitting":
      return draft("platform", "Platform answer and read", false, {
        sentence: "The call may be under way. A read after it decides.",
      });
    case "needs_reconcile":
      return draft("platform", "Platform read", false, { sentence: nextLookSentence(facts) });
    case "reconciling":
      return draft("platform", "Platform read", false, {
        sentence: "Looking now. Nothing is being changed.",
      });
    case "quarantined":
    case "needs_review":
      return draft("platform", "Platform read", true);
    default:
      return draft("platform", "Platform read", false);
  }
}

function person(facts: WaitingFacts): Draft {
  const sentence = `${ownerWords(facts.owner)} decides.`;
  return draft("person", "A decision", false, { sentence });
}

/** "Next look 16:24 UTC, look 3 of 12." */
export function nextLookSentence(
  facts: Pick<WaitingFacts, "nextLookAt" | "now" | "looks" | "looksMax">,
): string {
  const { nextLookAt, now, looks, looksMax } = facts;
  const look = `look ${Math.min(looks + 1, looksMax)} of ${looksMax}`;
  if (nextLookAt === null || epochOf(nextLookAt) <= epochOf(now)) return `Next look now, ${look}.`;
  return `Next look ${clockWords(nextLookAt, now)}, ${look}.`;
}

function nextOf(facts: WaitingFacts, conditions: readonly Condition[]): string | null {
  const holding = conditions.find(({ status }) => status === "holds");
  if (holding?.name === "due") return facts.dueAt;
  if (holding?.name === "reads") return facts.readsFreeAt;
  if (facts.state === "needs_reconcile") return facts.nextLookAt;
  return null;
}

/** A moment inside a sentence, in UTC: `16:24 UTC` on the same day, else `1 Dec 2026, 16:24 UTC`. */
export function clockWords(instant: string, now: string): string {
  const { date, time } = localOf("UTC", instant);
  const clock = `${time.slice(0, 5)} UTC`;
  return date === localOf("UTC", now).date ? clock : `${formatDay(date)}, ${clock}`;
}

const TEAMS: Readonly<Record<string, string>> = {
  "team:on-call": "The on-call team",
  "team:account-managers": "The account managers",
  "team:compliance": "Compliance",
  "team:admins": "The admins",
};

/** An owner as the subject of a sentence; a person is named by account, never by an address. */
export function ownerWords(owner: string | null): string {
  if (owner === null || owner === "") return "The on-call team";
  return TEAMS[owner] ?? `Account ${owner.replace(/^account:/, "").slice(0, 8)}`;
}
