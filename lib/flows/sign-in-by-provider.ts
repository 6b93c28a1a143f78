import { randomUUID } from "node:crypto";
import type { ProviderTokens } from "@/lib/providers/identity";
import { accountForSignIn } from "@/lib/store/accounts";
import {
  accountOfIdentity,
  createProviderSession,
  type IdentityMark,
  linkIdentity,
} from "@/lib/store/identities";
import { placeOf, seal } from "@/lib/store/vault-cipher";
import type { ConsoleContext } from "./context";
import { identityMarks } from "./identity-marks";
import { SESSION_HOURS, type SignInResult } from "./sign-in";

export interface ProviderSignIn {
  readonly issuer: string;
  readonly tokens: ProviderTokens;
  /** Only an address that the provider has verified links an identity to the account of that login. */
  readonly verifiedEmail: string | null;
  /** The provider's own session; null where it names none. */
  readonly sid: string | null;
}

/**
 * Begins a session for whom the provider vouches (PV-1). The first time, the identity is linked to the account whose
 * login is the verified address; from then on only the link counts. Nobody gets an account by signing in: an unknown
 * or disabled one is refused, with the same answer.
 */
export async function signInByProvider(
  ctx: ConsoleContext,
  wish: ProviderSignIn,
): Promise<SignInResult> {
  const { issuer, tokens, sid } = wish;
  const subject = await identityMarks(ctx, "subject", tokens.subject);
  const identity = { issuer, subjectMark: subject.present };
  const account =
    (await accountOfIdentity(ctx.db, identity, subject.all)) ??
    (await linkedNow(ctx, identity, wish.verifiedEmail));
  if (account === null || account.disabled) {
    ctx.log.info({ event: "sign_in_refused" });
    return { kind: "refused" };
  }
  const id = randomUUID();
  await createProviderSession(ctx.db, {
    ...identity,
    id,
    accountId: account.id,
    hours: SESSION_HOURS,
    providerSessionMark: sid === null ? null : (await identityMarks(ctx, "session", sid)).present,
    tokens: sealTokens(ctx.vaultKey, id, tokens),
  });
  ctx.log.info({ event: "signed_in", actor: `user:${account.id}` });
  return { kind: "signed_in", accountId: account.id, sessionId: id };
}

async function linkedNow(ctx: ConsoleContext, identity: IdentityMark, email: string | null) {
  const account = email === null ? null : await accountForSignIn(ctx.db, email);
  if (account === null || account.disabled) return null;
  return (await linkIdentity(ctx.db, identity, account.id)) ? account : null;
}

/** Seals what a provider gave for the place of its session. */
export function sealTokens(vaultKey: Buffer, sessionId: string, tokens: ProviderTokens): string {
  return seal(vaultKey, JSON.stringify(tokens), placeOf("sessions", sessionId, "provider_tokens"));
}
