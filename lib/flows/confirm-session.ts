import { type IdentityProvider, ProviderTokensSchema } from "@/lib/providers/identity";
import { confirmProviderSession, takeProviderCheck } from "@/lib/store/identities";
import { revokeSession } from "@/lib/store/sessions";
import { placeOf, unseal } from "@/lib/store/vault-cipher";
import type { ConsoleContext } from "./context";
import { sealTokens } from "./sign-in-by-provider";

/** A session as the database knows it; `provider` is null for a local account. */
export interface SessionToConfirm {
  readonly sessionId: string;
  readonly accountId: string;
  readonly provider: {
    /** How long ago the provider last said yes, by the database's clock, in milliseconds. */
    readonly silentMs: number;
  } | null;
}

/**
 * A provider that gives no answer keeps its people working for this long; after it nobody can know whether they may,
 * and their sessions wait until it answers again.
 */
export const SILENCE_MAX_MS = 15 * 60_000;

/**
 * Whether a session still acts for somebody whom its provider vouches for (PV-1, C-36). Asks the provider at most
 * every `everySeconds` per session; one request asks, the others go on. A refusal ends the session for good.
 */
export async function confirmSession(
  ctx: ConsoleContext,
  provider: IdentityProvider | null,
  session: SessionToConfirm,
  time: { readonly everySeconds: number; readonly nowMs: number },
): Promise<boolean> {
  const { sessionId, accountId } = session;
  if (session.provider === null) return true;
  // Its provider is no longer configured: nobody vouches for it.
  if (provider === null) return false;
  const sealed = await takeProviderCheck(ctx.db, sessionId, time.everySeconds);
  const { silentMs } = session.provider;
  if (sealed === null) return silentMs <= SILENCE_MAX_MS;
  const place = placeOf("sessions", sessionId, "provider_tokens");
  const tokens = ProviderTokensSchema.parse(
    JSON.parse(unseal(ctx.vaultKey, sealed, place).toString()),
  );
  const answer = await provider.confirm(tokens, time.nowMs);
  switch (answer.kind) {
    case "confirmed":
      return confirmProviderSession(
        ctx.db,
        sessionId,
        sealTokens(ctx.vaultKey, sessionId, answer.tokens),
      );
    case "refused":
      await revokeSession(ctx.db, { id: sessionId, accountId });
      ctx.log.info({ event: "session_ended", actor: `user:${accountId}` });
      return false;
    case "unanswered":
      ctx.log.warn({ event: "identity_provider_silent" });
      return silentMs <= SILENCE_MAX_MS;
  }
}
