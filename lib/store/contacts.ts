import type { Tx } from "./db";

/** By whom a signer was contacted (RM-2): this ledger, the platform, or somebody outside who reported it. */
export type ContactSource = "automatic" | "manual" | "bulk" | "agent" | "platform" | "elsewhere";

export interface Contact {
  readonly at: Date;
  readonly source: ContactSource;
}

/**
 * The newest contact with any of these signers about this request, from any source (RM-2); null when there is none.
 * A reminder of which nobody knows whether it went out counts too (RC-5). The interval is kept per request: two
 * contracts of one person are two matters.
 */
export async function newestContact(
  tx: Tx,
  tenantId: string,
  requestRef: string,
  subjectRefs: readonly string[],
): Promise<Contact | null> {
  const [row] = await tx.$queryRaw<Contact[]>`
    SELECT newest.at, newest.source
    FROM unnest(${[...subjectRefs]}::text[]) AS subject (ref) CROSS JOIN LATERAL (
      SELECT c.at, c.source FROM signer_contacts c
      WHERE c.tenant_id = ${tenantId}::uuid AND c.request_ref = ${requestRef} AND c.subject_ref = subject.ref
      ORDER BY c.at DESC LIMIT 1
    ) newest
    ORDER BY newest.at DESC LIMIT 1`;
  return row ?? null;
}

export interface NewContacts {
  readonly requestRef: string;
  readonly subjectRefs: readonly string[];
  readonly source: ContactSource;
  /** The operation that made the contact; null for one that was reported from outside. */
  readonly opId: string | null;
  readonly at: Date;
  /** False when nobody knows whether it went out (RC-5). */
  readonly certain: boolean;
  /** The actor's name as history keeps it. */
  readonly recordedBy: string;
}

/**
 * Records one contact per signer (RM-2). One statement; for an operation it takes once per signer, however often it
 * is repeated. Returns how many were new.
 */
export async function recordContacts(
  tx: Tx,
  tenantId: string,
  contacts: NewContacts,
): Promise<number> {
  return tx.$executeRaw`
    INSERT INTO signer_contacts (tenant_id, id, request_ref, subject_ref, source, op_id, at, certain, recorded_by)
    SELECT ${tenantId}::uuid, gen_random_uuid(), ${contacts.requestRef}, subject.ref, ${contacts.source},
      ${contacts.opId}::uuid, ${contacts.at}, ${contacts.certain}, ${contacts.recordedBy}
    FROM (SELECT DISTINCT unnest(${[...contacts.subjectRefs]}::text[])) AS subject (ref)
    ON CONFLICT (tenant_id, op_id, subject_ref) WHERE op_id IS NOT NULL DO NOTHING`;
}

/** When the newest call of an operation may have reached signers: the moment of its intent; null when none left. */
export async function calledAt(tx: Tx, tenantId: string, opId: string): Promise<Date | null> {
  const row = await tx.attempt.findFirst({
    where: { tenantId, opId },
    orderBy: { fence: "desc" },
    select: { intentAt: true },
  });
  return row?.intentAt ?? null;
}
