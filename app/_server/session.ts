import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { type Permission, roleMay } from "@/lib/domain/role";
import type { Actor, ConsoleContext } from "@/lib/flows/context";
import { noteSeen } from "@/lib/flows/note-seen";
import { type Membership, membershipIn } from "@/lib/queries/memberships";
import type { SessionFacts } from "@/lib/queries/session";
import { consoleContext } from "@/lib/runtime/console";
import { sessionOf } from "./cookie";

export interface AccountFacts {
  readonly id: string;
  readonly login: string;
  /** "My zone" of the reading zones. */
  readonly zone: string;
}

/** What a page of a tenant may work with; everything in it was read from the database for this request. */
export interface PageAccess {
  readonly ctx: ConsoleContext;
  readonly actor: Actor & { readonly kind: "user"; readonly role: Membership["role"] };
  readonly tenant: Membership["tenant"];
  readonly membership: Membership;
  readonly account: AccountFacts;
}

/** The session of this request, read once however many parts of the page ask; null when nobody is signed in. */
export const currentSession = cache(
  async (): Promise<SessionFacts | null> => sessionOf(await cookies()),
);

/** The signed-in person of a page outside the tenants; sends anybody else to sign in and back. */
export async function requirePerson(): Promise<SessionFacts> {
  const session = await currentSession();
  if (session === null) redirect(await signInAddress());
  return session;
}

/** The membership of this request, read once however many parts of the page ask, with a note that its owner was here. */
const membershipNow = cache(async (session: SessionFacts, slug: string) => {
  const { accountId, sessionId } = session;
  const ctx = consoleContext();
  const membership = await membershipIn(ctx.db, accountId, slug);
  if (membership !== null && !membership.removed) {
    const isOld = membership.seenLongAgo || session.seenLongAgo;
    await noteSeen(ctx, { tenantId: membership.tenant.id, accountId, sessionId, isOld });
  }
  return membership;
});

/**
 * Lets a member with the permission in and nobody else (PV-1). Nobody signed in: to sign-in and back. A member who
 * was removed: to the choice of tenants, which says so. A stranger, an unknown tenant, a role without the
 * permission: the same "not found".
 */
export async function requirePage(tenantSlug: string, permission: Permission): Promise<PageAccess> {
  const session = await requirePerson();
  const membership = await membershipNow(session, tenantSlug);
  if (membership === null) notFound();
  if (membership.removed) redirect("/tenants?ended=1");
  if (!roleMay(membership.role, permission)) notFound();
  return {
    ctx: consoleContext(),
    actor: {
      tenantId: membership.tenant.id,
      kind: "user",
      id: session.accountId,
      role: membership.role,
      scopes: [],
    },
    tenant: membership.tenant,
    membership,
    account: { id: session.accountId, login: session.login, zone: session.zone },
  };
}

/** Sign-in with the way back. Proxy writes the path of the request, which a page cannot know otherwise. */
async function signInAddress(): Promise<string> {
  const back = (await headers()).get("x-deadline-path");
  return back && back !== "/" ? `/sign-in?callbackUrl=${encodeURIComponent(back)}` : "/sign-in";
}
