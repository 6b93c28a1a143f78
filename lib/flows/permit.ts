import { Refusal } from "@/lib/domain/refusal";
import { keyMay, type Permission, type Role, roleMay } from "@/lib/domain/role";
import type { Actor } from "./context";

/** A person who acts, with the role that the database gave in this very request (PV-1). */
export interface Person {
  readonly accountId: string;
  readonly role: Role;
}

/**
 * Lets an actor pass whose role or key may do it. Throws Refusal `not_permitted`. What a policy says further is
 * asked by the flow.
 */
export function permit(actor: Actor, permission: Permission): void {
  const { kind, role, scopes } = actor;
  const may =
    kind === "key" ? keyMay(scopes, permission) : role !== null && roleMay(role, permission);
  if (!may) throw new Refusal("not_permitted");
}

/** As `permit`, for what only people do: a key never approves, rejects or takes back (API-2). */
export function permitPerson(actor: Actor, permission: Permission): Person {
  permit(actor, permission);
  if (actor.kind !== "user" || actor.role === null) throw new Refusal("not_permitted");
  return { accountId: actor.id, role: actor.role };
}
