import { asTenant, type Database } from "./db";

/** Names one HTTP request of one credential (API-1). Both digests are keyed hashes: neither key nor body is kept. */
export interface HttpRequestName {
  readonly tenantId: string;
  readonly credential: string;
  readonly keyDigest: string;
  readonly requestDigest: string;
}

export type HttpRequestFound =
  | { readonly kind: "yours" }
  | { readonly kind: "answered"; readonly status: number; readonly answer: string }
  | { readonly kind: "under_way" }
  | { readonly kind: "other_content" };

/** After this long a request without an answer is taken to have died with its process. */
const ABANDONED_AFTER_SECONDS = 60;

/**
 * Takes the name for this request, or says what became of the earlier one. `yours` is given to exactly one of
 * several at a time. A request whose process died may be taken over after a minute by the same content; what it
 * does is keyed by the operation itself (ID-1), so doing it again is safe.
 */
export async function beginHttpRequest(
  db: Database,
  name: HttpRequestName,
): Promise<HttpRequestFound> {
  return asTenant(db, name.tenantId, async (tx) => {
    const taken = await tx.$executeRaw`
      INSERT INTO http_idempotency AS kept (tenant_id, credential, key_digest, request_digest)
      VALUES (${name.tenantId}::uuid, ${name.credential}, ${name.keyDigest}, ${name.requestDigest})
      ON CONFLICT (tenant_id, credential, key_digest) DO UPDATE
        SET request_digest = excluded.request_digest, created_at = ledger_now()
        WHERE kept.status IS NULL AND (kept.created_at = 'epoch'
          OR kept.request_digest = excluded.request_digest
            AND kept.created_at < ledger_now() - make_interval(secs => ${ABANDONED_AFTER_SECONDS}))`;
    if (taken === 1) return { kind: "yours" };
    const kept = await tx.httpIdempotency.findUniqueOrThrow({
      where: {
        tenantId_credential_keyDigest: {
          tenantId: name.tenantId,
          credential: name.credential,
          keyDigest: name.keyDigest,
        },
      },
    });
    if (kept.requestDigest !== name.requestDigest) return { kind: "other_content" };
    if (kept.status === null) return { kind: "under_way" };
    return { kind: "answered", status: kept.status, answer: kept.answer ?? "" };
  });
}

/** Keeps the answer for repeats. */
export async function keepHttpAnswer(
  db: Database,
  name: HttpRequestName,
  answer: { readonly status: number; readonly text: string },
): Promise<void> {
  await asTenant(
    db,
    name.tenantId,
    (tx) => tx.$executeRaw`
      UPDATE http_idempotency SET status = ${answer.status}, answer = ${answer.text}
      WHERE tenant_id = ${name.tenantId}::uuid AND credential = ${name.credential}
        AND key_digest = ${name.keyDigest} AND request_digest = ${name.requestDigest}`,
  );
}

/** Gives the name back after a refusal, which changed nothing: a corrected request may use it again. */
export async function releaseHttpRequest(db: Database, name: HttpRequestName): Promise<void> {
  await asTenant(
    db,
    name.tenantId,
    (tx) => tx.$executeRaw`
      UPDATE http_idempotency SET created_at = 'epoch'
      WHERE tenant_id = ${name.tenantId}::uuid AND credential = ${name.credential}
        AND key_digest = ${name.keyDigest} AND request_digest = ${name.requestDigest}
        AND status IS NULL`,
  );
}
