import type { NextRequest } from "next/server";
import { sha256Hex } from "@/lib/domain/canonical";
import { Refusal } from "@/lib/domain/refusal";
import { keyMay, type Permission, roleMay } from "@/lib/domain/role";
import type { Actor, ConsoleContext } from "@/lib/flows/context";
import { noteSeen } from "@/lib/flows/note-seen";
import { membershipIn } from "@/lib/queries/memberships";
import { openApiKey, type SessionFacts } from "@/lib/queries/session";
import { sessionOf } from "./cookie";
import type { AccountFacts } from "./session";

/** Who calls the API of one tenant. `account` is null for an API key. */
export interface Caller {
  readonly actor: Actor;
  readonly tenant: { readonly id: string; readonly slug: string; readonly name: string };
  readonly account: AccountFacts | null;
}

/** The signed-in person behind a call. Throws Refusal `session_ended`. */
export async function personOf(request: NextRequest): Promise<SessionFacts> {
  const session = await sessionOf(request.cookies);
  if (session === null) throw new Refusal("session_ended");
  return session;
}

/**
 * The caller, with membership or key read from the database for this call (PV-1, C-36). Throws Refusal: 401 without
 * a good credential; the same 404 for an unknown tenant and for one that is not the caller's; 403 where the role or
 * the key's scopes do not allow it.
 */
export async function callerOf(
  ctx: ConsoleContext,
  request: NextRequest,
  slug: string,
  permission: Permission,
): Promise<Caller> {
  const bearer = bearerOf(request);
  return bearer === null
    ? memberCaller(ctx, request, slug, permission)
    : keyCaller(ctx, bearer, slug, permission);
}

/** The bearer token of a call, or null when it has no Authorization header. */
export function bearerOf(request: NextRequest): string | null {
  const header = request.headers.get("authorization");
  if (header === null) return null;
  return /^Bearer (\S+)$/i.exec(header)?.[1] ?? "";
}

async function memberCaller(
  ctx: ConsoleContext,
  request: NextRequest,
  slug: string,
  permission: Permission,
): Promise<Caller> {
  const session = await personOf(request);
  const membership = await membershipIn(ctx.db, session.accountId, slug);
  if (membership === null || membership.removed) throw new Refusal("not_found");
  if (!roleMay(membership.role, permission)) throw new Refusal("not_permitted");
  const { tenant, role } = membership;
  const { accountId, sessionId } = session;
  const isOld = membership.seenLongAgo || session.seenLongAgo;
  await noteSeen(ctx, { tenantId: tenant.id, accountId, sessionId, isOld });
  return {
    actor: { tenantId: tenant.id, kind: "user", id: session.accountId, role, scopes: [] },
    tenant,
    account: { id: session.accountId, login: session.login, zone: session.zone },
  };
}

async function keyCaller(
  ctx: ConsoleContext,
  bearer: string,
  slug: string,
  permission: Permission,
): Promise<Caller> {
  const key = /^dl_[\w-]{20,100}$/.test(bearer)
    ? await openApiKey(ctx.db, sha256Hex(bearer))
    : null;
  if (key === null) throw new Refusal("credential_refused");
  if (key.tenant.slug !== slug) throw new Refusal("not_found");
  if (!keyMay(key.scopes, permission)) throw new Refusal("not_permitted");
  const { tenant, id, scopes } = key;
  return {
    actor: { tenantId: tenant.id, kind: "key", id, role: null, scopes },
    tenant,
    account: null,
  };
}
