import { holdsTrace } from "@/lib/domain/erasure";
import type { Tx } from "./db";
import type { Contact, VaultScope } from "./vault";
import { placeOf, unseal } from "./vault-cipher";
import { cipherKeyPlace, entryPlace } from "./vault-places";

/** Rows that are opened at a time; memory stays flat. */
const PAGE = 2_000;
const FIRST = "00000000-0000-0000-0000-000000000000";

/** All contact details that the vault ever held of a person; none for an unknown or erased one. */
export async function contactsOf(
  tx: Tx,
  scope: VaultScope,
  subjectRef: string,
): Promise<readonly Contact[]> {
  const rows = await tx.$queryRaw<SealedText[]>`
    SELECT e.id, e.subject_ref AS "subjectRef", e.ciphertext, s.cipher_key_sealed AS "keySealed"
    FROM vault_entries e JOIN vault_subjects s ON s.tenant_id = e.tenant_id AND s.subject_ref = e.subject_ref
    WHERE e.tenant_id = ${scope.tenantId}::uuid AND e.subject_ref = ${subjectRef} AND e.kind = 'contact'
      AND e.ciphertext <> '' AND s.erased_at IS NULL`;
  return rows.map((row) => JSON.parse(opened(scope, row)) as Contact);
}

interface SealedText {
  readonly id: string;
  readonly subjectRef: string;
  readonly ciphertext: string;
  readonly keySealed: string;
}

function opened({ tenantId, vaultKey }: VaultScope, row: SealedText): string {
  const { id, subjectRef, ciphertext, keySealed } = row;
  const key = unseal(vaultKey, keySealed, cipherKeyPlace(tenantId, subjectRef));
  return unseal(key, ciphertext, entryPlace(tenantId, subjectRef, id)).toString();
}

/**
 * Empties every other typed text of the tenant that holds one of the words, but those that an open operation shows:
 * they belong to somebody else of that name, or to a request that is not the person's. Returns how many.
 */
export async function emptyTextsWith(
  tx: Tx,
  scope: VaultScope,
  words: readonly string[],
): Promise<number> {
  const found: string[] = [];
  for (let after: string | null = FIRST; after !== null; ) {
    const rows: SealedText[] = await tx.$queryRaw<SealedText[]>`
      SELECT e.id, e.subject_ref AS "subjectRef", e.ciphertext, s.cipher_key_sealed AS "keySealed"
      FROM vault_entries e JOIN vault_subjects s ON s.tenant_id = e.tenant_id AND s.subject_ref = e.subject_ref
      WHERE e.tenant_id = ${scope.tenantId}::uuid AND e.id > ${after}::uuid AND e.kind = 'text'
        AND e.ciphertext <> '' AND s.erased_at IS NULL
      ORDER BY e.id LIMIT ${PAGE}`;
    found.push(...rows.filter((row) => holdsTrace(opened(scope, row), words)).map(({ id }) => id));
    after = rows.length < PAGE ? null : (rows.at(-1)?.id ?? null);
  }
  return tx.$executeRaw`
    UPDATE vault_entries e SET ciphertext = ''
    WHERE e.tenant_id = ${scope.tenantId}::uuid AND e.id = ANY(${found}::uuid[])
      AND NOT EXISTS (SELECT 1 FROM operations o WHERE o.tenant_id = e.tenant_id
        AND o.state NOT IN ('done', 'obsolete', 'superseded', 'failed_terminal')
        AND strpos(o.canonical_text, e.id::text) > 0)`;
}

/** Empties the raw bodies of all events about requests; digests stay. Returns how many. */
export async function emptyBodiesOf(
  tx: Tx,
  tenantId: string,
  requestRefs: readonly string[],
): Promise<number> {
  return tx.$executeRaw`
    UPDATE inbox_events i SET body_sealed = '', purged_at = ledger_now()
    WHERE i.tenant_id = ${tenantId}::uuid AND i.purged_at IS NULL AND i.id IN (
      SELECT e.id FROM requests r JOIN inbox_events e ON e.tenant_id = r.tenant_id
        AND e.connection_id = r.connection_id AND e.platform_ref = r.platform_ref
      WHERE r.tenant_id = ${tenantId}::uuid AND r.ref = ANY(${[...requestRefs]})
      UNION SELECT e.id FROM operations o JOIN inbox_events e ON e.tenant_id = o.tenant_id
        AND e.connection_id = o.connection_id AND e.client_reference = o.op_id::text
      WHERE o.tenant_id = ${tenantId}::uuid AND o.request_ref = ANY(${[...requestRefs]})
      UNION SELECT e.id FROM inbox_events e
      WHERE e.tenant_id = ${tenantId}::uuid AND e.purged_at IS NULL AND e.request_ref = ANY(${[...requestRefs]}))`;
}

/** Empties the raw bodies that hold one of the words, of events that belong to no known request. Returns how many. */
export async function emptyBodiesWith(
  tx: Tx,
  scope: VaultScope,
  words: readonly string[],
): Promise<number> {
  const { tenantId, vaultKey } = scope;
  const found: string[] = [];
  for (let after: string | null = FIRST; after !== null; ) {
    const rows: { id: string; body: string }[] = await tx.$queryRaw<{ id: string; body: string }[]>`
      SELECT id, body_sealed AS body FROM inbox_events
      WHERE tenant_id = ${tenantId}::uuid AND purged_at IS NULL AND request_ref IS NULL AND body_sealed <> ''
        AND id > ${after}::uuid
      ORDER BY id LIMIT ${PAGE}`;
    const bodyOf = (row: { id: string; body: string }) =>
      unseal(vaultKey, row.body, placeOf("inbox_events", tenantId, row.id)).toString();
    found.push(...rows.filter((row) => holdsTrace(bodyOf(row), words)).map(({ id }) => id));
    after = rows.length < PAGE ? null : (rows.at(-1)?.id ?? null);
  }
  return tx.$executeRaw`
    UPDATE inbox_events SET body_sealed = '', purged_at = ledger_now()
    WHERE tenant_id = ${tenantId}::uuid AND id = ANY(${found}::uuid[])`;
}
