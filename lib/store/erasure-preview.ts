import type { Destroyed } from "@/lib/domain/erasure";
import type { Db } from "./db";
import { textSubjectOf } from "./vault";

/**
 * What the erasure of a person would destroy of their own and of their requests, counted. Texts and bodies elsewhere
 * that name the person are found only when it is done, since nobody opens them before.
 */
export async function wouldDestroy(
  db: Db,
  tenantId: string,
  subjectRef: string,
  requestRefs: readonly string[],
): Promise<Destroyed> {
  const texts = requestRefs.map((ref) => textSubjectOf(tenantId, ref));
  const [row] = await db.$queryRaw<Destroyed[]>`
    SELECT
      (SELECT count(*)::integer FROM vault_subjects s WHERE s.tenant_id = ${tenantId}::uuid
        AND s.subject_ref = ANY(${[subjectRef, ...texts]}) AND s.erased_at IS NULL) AS keys,
      (SELECT count(*)::integer FROM vault_entries e WHERE e.tenant_id = ${tenantId}::uuid
        AND e.subject_ref = ${subjectRef} AND e.kind = 'contact' AND e.ciphertext <> '') AS contacts,
      (SELECT count(*)::integer FROM vault_entries e WHERE e.tenant_id = ${tenantId}::uuid
        AND e.subject_ref = ANY(${[subjectRef, ...texts]}) AND e.kind = 'text' AND e.ciphertext <> '') AS texts,
      (SELECT count(*)::integer FROM requests r JOIN inbox_events e ON e.tenant_id = r.tenant_id
        AND e.connection_id = r.connection_id AND e.platform_ref = r.platform_ref
        WHERE r.tenant_id = ${tenantId}::uuid AND r.ref = ANY(${[...requestRefs]}) AND e.purged_at IS NULL) AS bodies`;
  return row ?? { keys: 0, contacts: 0, texts: 0, bodies: 0 };
}
