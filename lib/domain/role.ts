/** Roles of a member in one tenant (PV-1). */
export const ROLES = ["account_manager", "on_call", "compliance", "admin"] as const;

export type Role = (typeof ROLES)[number];

/** Words of a role inside a sentence: "Already approved by an account manager". */
export const ROLE_LABELS: Record<Role, string> = {
  account_manager: "account manager",
  on_call: "on-call engineer",
  compliance: "compliance officer",
  admin: "admin",
};

/** What an API key may be made for. A key never approves, decides or resumes anything. */
export const KEY_SCOPES = ["read", "propose"] as const;

export type KeyScope = (typeof KEY_SCOPES)[number];

interface Grant {
  readonly roles: readonly Role[];
  /** The scope a key needs; null where no key may ever do it. */
  readonly scope: KeyScope | null;
}

/**
 * Who may do what, before the rules about one particular object (four eyes, a policy's own roles) are asked.
 * A permission that is missing here does not exist.
 */
export const PERMISSIONS = {
  /** Lists and pages of requests, approvals, operations and reviews. */
  "ledger.view": { roles: ROLES, scope: "read" },
  /** The exact canonical payload and its versions. */
  "payload.view": { roles: ROLES, scope: "read" },
  /** Ask for a change of a request; nothing happens before others approve it. */
  "operation.propose": { roles: ["account_manager"], scope: "propose" },
  /** Report a contact with a signer that was made elsewhere; it counts for the interval (RM-2). */
  "contact.report": { roles: ["account_manager", "on_call"], scope: "propose" },
  /** Change or take back a proposal. */
  "operation.edit": { roles: ["account_manager"], scope: null },
  /** Approve, reject, or take an approval back. */
  "operation.approve": { roles: ["account_manager", "on_call"], scope: null },
  /** Ask for the next look at an unknown operation to come now. */
  "operation.check": { roles: ["account_manager", "on_call"], scope: null },
  /** Order a read of a request at its platform. */
  "request.read": { roles: ROLES, scope: "propose" },
  /** Stop new starts (BL-6). One person suffices. */
  "control.pause": { roles: ["on_call", "admin"], scope: null },
  /** Ask to open a switch, or open it after another person asked. */
  "control.resume": { roles: ["on_call", "admin"], scope: null },
  /** Change the mode of a kind, or let it go live after another person asked (GO-1). */
  "control.mode": { roles: ["on_call", "admin"], scope: null },
  /** Write the next version of a policy (AP-2). */
  "policy.save": { roles: ["admin"], scope: null },
  /** Change who is told of what, send again, or close without delivery (OB-1). */
  "outbox.act": { roles: ["on_call", "admin"], scope: null },
  /** Have recorded events applied again (IN-8). */
  "inbox.replay": { roles: ["on_call"], scope: null },
  /** Reveal the raw body of an event (IN-8). */
  "inbox.raw": { roles: ["on_call", "compliance"], scope: null },
  /** Set secrets of deliveries and polling of a connection (IN-1, IN-7). */
  "connection.save": { roles: ["admin"], scope: null },
  /** Keep named filters of one's own; a key has no lists to look at. */
  "views.save": { roles: ROLES, scope: null },
  /** Whether the machinery is well: workers, backlogs, budgets, clocks (OP-2). */
  "system.view": { roles: ["on_call", "compliance", "admin"], scope: null },
  /** Change quotas, rates and read budgets (CL-5, PL-7). */
  "control.limits": { roles: ["admin"], scope: null },
  /** Export history, ask for evidence packs and take them away (SM-6). */
  "history.export": { roles: ["on_call", "compliance", "admin"], scope: null },
  /** See checks of the history and packs; have the history checked (SM-4). */
  "history.verify": { roles: ["on_call", "compliance", "admin"], scope: null },
  /** Decide a review item of one's own; on-call decides every one (RV-3). A key never decides (API-2). */
  "review.decide": { roles: ROLES, scope: null },
  /** Confirm or refuse another person's decision against a read. */
  "review.override": { roles: ROLES, scope: null },
  /** Take, assign, hand over, acknowledge, snooze a review item, or mark it as seen (RV-4). */
  "review.act": { roles: ROLES, scope: null },
  /** Change who gets which review item, and who is on call (RV-1). */
  "routing.save": { roles: ["admin"], scope: null },
  /** Change where the tenant is told, and send tests there (OB-2). */
  "notices.manage": { roles: ["admin"], scope: null },
  /** Add and remove members, change their roles, see and end their sessions (PV-1). */
  "members.manage": { roles: ["admin"], scope: null },
  /** See erasures, the retention schedule, its holds and runs (PV-3, PV-5). */
  "privacy.view": { roles: ["compliance", "admin"], scope: null },
  /** Ask for the erasure of a person's data. */
  "erasure.request": { roles: ["compliance"], scope: null },
  /** Confirm or refuse an erasure that another person asked for. */
  "erasure.confirm": { roles: ["compliance", "admin"], scope: null },
  /** Say how long a class of records is kept. */
  "retention.save": { roles: ["compliance", "admin"], scope: null },
  /** Hold a request or a person back from retention and erasure, and lift such a hold. */
  "retention.hold": { roles: ["compliance", "admin"], scope: null },
  /** Reveal a contact from the vault. */
  "vault.read": { roles: ["account_manager", "on_call", "compliance"], scope: null },
} as const satisfies Record<string, Grant>;

export type Permission = keyof typeof PERMISSIONS;

/** True when a member of this role may do it. */
export function roleMay(role: Role, permission: Permission): boolean {
  return (PERMISSIONS[permission].roles as readonly Role[]).includes(role);
}

/** True when a key with these scopes may do it; never true for what only people may do. */
export function keyMay(scopes: readonly string[], permission: Permission): boolean {
  const scope = PERMISSIONS[permission].scope;
  return scope !== null && scopes.includes(scope);
}
