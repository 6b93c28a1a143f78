import type { Db } from "@/lib/store/db";

/** Which of these signers already have a contact of that very moment on record that was reported from outside. */
export async function reportedAt(
  db: Db,
  tenantId: string,
  requestRef: string,
  subjectRefs: readonly string[],
  at: Date,
): Promise<ReadonlySet<string>> {
  const rows = await db.signerContact.findMany({
    where: {
      tenantId,
      requestRef,
      source: "elsewhere",
      at,
      subjectRef: { in: [...subjectRefs] },
    },
    select: { subjectRef: true },
  });
  return new Set(rows.map(({ subjectRef }) => subjectRef));
}
