import { randomBytes } from "node:crypto";
import { hash } from "@node-rs/argon2";
import { Refusal } from "@/lib/domain/refusal";
import type { Role } from "@/lib/domain/role";
import { accountForSignIn } from "@/lib/store/accounts";
import { recordControl } from "@/lib/store/control-events";
import { asTenant } from "@/lib/store/db";
import { accountOfLogin, insertMembership } from "@/lib/store/memberships";
import { lockRouting } from "@/lib/store/routing";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";
import { PASSWORD_HASHING } from "./sign-in";

/** A password that somebody else has seen is replaced within this time or ends. */
const STARTING_PASSWORD_HOURS = 72;

export interface NewMember {
  /** What the person types to sign in, in any spelling of its letters. */
  readonly login: string;
  readonly role: Role;
  /** Whether a new account gets a password; false where an identity provider vouches for people. */
  readonly withPassword: boolean;
}

export interface MemberAdded {
  readonly accountId: string;
  /** Of a new account with a local password; shown this once. Null for an account that exists. */
  readonly startingPassword: string | null;
}

/**
 * Makes somebody a member, from the next request on (PV-1): the account of that login, a new one where there is none,
 * or somebody who was removed before. An account that exists keeps its password. Throws Refusal `member_exists`,
 * `not_permitted`.
 */
export async function addMember(
  ctx: ConsoleContext,
  actor: Actor,
  wish: NewMember,
): Promise<MemberAdded> {
  permitPerson(actor, "members.manage");
  const { tenantId } = actor;
  const login = wish.login.trim().toLowerCase();
  // Hashing takes its time, so it is done before the transaction, and only where it may be needed.
  const known = await accountForSignIn(ctx.db, login);
  const password = known === null && wish.withPassword ? randomBytes(18).toString("base64url") : "";
  const passwordHash = password === "" ? null : await hash(password, PASSWORD_HASHING);
  return asTenant(ctx.db, tenantId, async (tx) => {
    await lockRouting(tx, tenantId);
    const account = { login, passwordHash, passwordHours: STARTING_PASSWORD_HOURS };
    const { id, isNew } = await accountOfLogin(tx, account);
    if (!(await insertMembership(tx, tenantId, id, wish.role))) throw new Refusal("member_exists");
    await recordControl(tx, tenantId, {
      kind: "member_added",
      about: `member:${id}`,
      actor: actorName(actor),
      body: { role: wish.role },
    });
    return { accountId: id, startingPassword: isNew && password !== "" ? password : null };
  });
}
