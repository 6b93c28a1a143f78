import { ROLE_LABELS, type Role } from "./role";

/** What admins do to members of a tenant; each is an entry of the record of controls, about `member:<account>`. */
export const MEMBER_ACTS = [
  "member_added",
  "member_role_changed",
  "member_removed",
  "member_sessions_ended",
] as const;

export type MemberAct = (typeof MEMBER_ACTS)[number];

/** How somebody can sign in. */
export type SignInMethod = "password" | "provider" | "both" | "none";

export const SIGN_IN_WORDS: Record<SignInMethod, string> = {
  password: "Password",
  provider: "Identity provider",
  both: "Identity provider or password",
  none: "Not signed in yet",
};

/** "an admin", "an on-call engineer": a role with its article. */
export function roleWithArticle(role: Role): string {
  const label = ROLE_LABELS[role];
  return `${/^[aeiou]/.test(label) ? "an" : "a"} ${label}`;
}

/** What happens to approved operations of somebody who leaves, before it happens (AP-3). */
export function removalConsequence(approvedWaiting: number, shifts: number): string {
  const operations =
    approvedWaiting === 1
      ? "1 operation approved and not yet started goes to review."
      : `${approvedWaiting} operations approved and not yet started go to review.`;
  return `Acts at once. ${operations}${shiftsEnd(shifts)}`;
}

/** The same for somebody who gets another role. */
export function roleConsequence(role: Role, approvedWaiting: number, shifts: number): string {
  const operations =
    approvedWaiting === 0
      ? "No operation approved by this member waits to start."
      : `${counted(approvedWaiting, "operation")} approved by this member and not yet started: whatever ${roleWithArticle(role)} may not approve goes to review.`;
  return `Acts at once. ${operations}${shiftsEnd(shifts)}`;
}

function shiftsEnd(shifts: number): string {
  if (shifts === 0) return "";
  return ` ${counted(shifts, "shift")} of the rota ${shifts === 1 ? "ends" : "end"}.`;
}

/** One entry as a sentence; `body` is what the entry holds: codes and numbers. */
export function memberActSentence(act: MemberAct, body: Readonly<Record<string, unknown>>): string {
  switch (act) {
    case "member_added":
      return `Added as ${roleOf(body.role)}.`;
    case "member_role_changed":
      return `Changed from ${roleOf(body.from)} to ${roleOf(body.to)}.`;
    case "member_removed":
      return `Removed, then ${roleOf(body.role)}.`;
    case "member_sessions_ended":
      return `Ended ${counted(body.count, "session")}.`;
  }
}

function roleOf(value: unknown): string {
  return typeof value === "string" && value in ROLE_LABELS
    ? ROLE_LABELS[value as Role]
    : "(not recorded)";
}

function counted(value: unknown, noun: string): string {
  return typeof value === "number" ? `${value} ${noun}${value === 1 ? "" : "s"}` : `${noun}s`;
}
