import type { Role } from "./role";

/** The teams of a tenant: its members of one role. */
export const TEAMS = [
  "team:on-call",
  "team:account-managers",
  "team:compliance",
  "team:admins",
] as const;

export type Team = (typeof TEAMS)[number];

const TEAM_OF: Record<Role, Team> = {
  on_call: "team:on-call",
  account_manager: "team:account-managers",
  compliance: "team:compliance",
  admin: "team:admins",
};

const ROLE_OF: Record<Team, Role> = {
  "team:on-call": "on_call",
  "team:account-managers": "account_manager",
  "team:compliance": "compliance",
  "team:admins": "admin",
};

/** The team that a member of this role belongs to. */
export function teamOf(role: Role): Team {
  return TEAM_OF[role];
}

/** The role whose members make up a team. */
export function roleOfTeam(team: Team): Role {
  return ROLE_OF[team];
}

/** True for an owner that is a team and no person. */
export function isTeam(owner: string): owner is Team {
  return (TEAMS as readonly string[]).includes(owner);
}

/** The account of an owner that is a person; null for a team. */
export function accountOf(owner: string): string | null {
  return owner.startsWith("account:") ? owner.slice("account:".length) : null;
}
