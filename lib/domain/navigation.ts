import type { Role } from "./role";

/** `act`; `own`: acts only where policy or routing names that person; `read`; `none`: the page does not exist. */
export type Access = "act" | "own" | "read" | "none";

export interface RouteWord {
  /** Below `/t/[tenant]`. */
  readonly path: string;
  readonly access: Record<Role, Access>;
  /** False for a page of a later release: it is not found, whoever asks. */
  readonly here: boolean;
}

type Letter = "A" | "A*" | "R" | "-";

const ACCESS: Record<Letter, Access> = { A: "act", "A*": "own", R: "read", "-": "none" };

/** Access in the order account manager, on-call, compliance, admin. */
function route(
  path: string,
  ...[manager, onCall, compliance, admin]: readonly [Letter, Letter, Letter, Letter]
): RouteWord {
  return {
    path,
    here: true,
    access: {
      account_manager: ACCESS[manager],
      on_call: ACCESS[onCall],
      compliance: ACCESS[compliance],
      admin: ACCESS[admin],
    },
  };
}

/** A page that this release does not have. */
function later(path: string, ...letters: readonly [Letter, Letter, Letter, Letter]): RouteWord {
  return { ...route(path, ...letters), here: false };
}

/** The pages of a tenant. A page that a role may not open looks like one that does not exist. */
export const ROUTES = {
  approvals: route("/approvals", "A", "A*", "R", "R"),
  approval: route("/approvals/[opId]", "A", "A*", "R", "R"),
  approval_selection: later("/approvals/selections/[id]", "A", "A*", "R", "R"),
  deadlines: route("/deadlines", "A", "R", "R", "R"),
  requests: route("/requests", "A", "R", "R", "R"),
  request_new: route("/requests/new", "A", "-", "-", "-"),
  request: route("/requests/[ref]", "A", "R", "R", "R"),
  request_propose: route("/requests/[ref]/propose/[kind]", "A", "-", "-", "-"),
  operations: route("/operations", "R", "R", "R", "R"),
  operation: route("/operations/[opId]", "A*", "A", "R", "R"),
  reviews: route("/reviews", "A*", "A", "A*", "A*"),
  review: route("/reviews/[id]", "A*", "A", "A*", "A*"),
  review_decide: route("/reviews/[id]/decide", "A*", "A", "A*", "A*"),
  review_selection: route("/reviews/selections/[id]", "A*", "A", "A*", "A*"),
  campaigns: later("/campaigns", "A", "R", "R", "R"),
  campaign_new: later("/campaigns/new", "A", "-", "-", "-"),
  campaign: later("/campaigns/[key]", "A", "A", "R", "R"),
  campaign_part: later("/campaigns/[key]/[part]", "A", "R", "R", "R"),
  signing: later("/signing", "A", "A", "R", "R"),
  signing_approve: later("/signing/[jobId]/approve", "A*", "-", "-", "-"),
  documents: later("/documents", "A", "R", "R", "R"),
  archive: later("/archive", "R", "R", "A", "R"),
  inbox: route("/inbox", "R", "A", "R", "R"),
  inbox_event: route("/inbox/[id]", "R", "A", "R", "R"),
  outbox: route("/outbox", "R", "A", "R", "A"),
  delivery: route("/outbox/[id]", "R", "A", "R", "A"),
  subscribers: route("/outbox/subscribers", "R", "A", "R", "A"),
  subscriber: route("/outbox/subscribers/[sid]", "R", "A", "R", "A"),
  history: route("/history", "R", "R", "A", "R"),
  history_proof: route("/history/verify", "-", "R", "A", "R"),
  history_check: route("/history/verify/[id]", "-", "R", "A", "R"),
  packs: route("/history/packs", "-", "R", "A", "R"),
  pack: route("/history/packs/[id]", "-", "R", "A", "R"),
  erasures: route("/privacy/erasures", "-", "-", "A", "A*"),
  erasure: route("/privacy/erasures/[id]", "-", "-", "A", "A*"),
  retention: route("/privacy/retention", "-", "-", "A", "A*"),
  controls: route("/controls", "R", "A", "R", "A"),
  resume_preview: route("/controls/resume/[id]", "R", "A", "R", "A"),
  gate: later("/controls/gate", "R", "R", "R", "A"),
  shadow: route("/controls/shadow", "R", "R", "R", "A"),
  settings: route("/settings", "R", "R", "R", "A"),
  policies: route("/settings/policies", "R", "R", "R", "A"),
  policy: route("/settings/policies/[kind]", "R", "R", "R", "A"),
  connections: route("/settings/connections", "R", "R", "R", "A"),
  connection: route("/settings/connections/[id]", "R", "R", "R", "A"),
  capabilities: route("/settings/connections/[id]/capabilities", "R", "R", "R", "A"),
  routing: route("/settings/routing", "R", "R", "R", "A"),
  notifications: route("/settings/notifications", "R", "R", "R", "A"),
  members: route("/settings/members", "R", "R", "R", "A"),
  member: route("/settings/members/[account]", "-", "-", "-", "A"),
  api_keys: later("/settings/api-keys", "R", "R", "R", "A"),
  zones: route("/settings/zones", "R", "R", "R", "A"),
  system: route("/system", "-", "R", "R", "A"),
  runbooks: route("/runbooks", "R", "R", "R", "R"),
  runbook: route("/runbooks/[code]", "R", "R", "R", "R"),
} as const satisfies Record<string, RouteWord>;

export type RouteKey = keyof typeof ROUTES;

/** Whether the role acts on, reads or must not see the page. */
export function accessOf(role: Role, key: RouteKey): Access {
  return ROUTES[key].access[role];
}

/** False for a page that answers 404 to the role and is absent from its menu. */
export function mayOpen(role: Role, key: RouteKey): boolean {
  return accessOf(role, key) !== "none";
}

const LANDINGS: Record<Role, string> = {
  account_manager: "/approvals?tab=mine",
  on_call: "/reviews?view=mine",
  compliance: "/history",
  admin: "/system",
};

/** Where the role starts, below `/t/[tenant]`. */
export function landingOf(role: Role): string {
  return LANDINGS[role];
}
