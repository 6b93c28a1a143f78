import type { Tx } from "@/lib/store/db";

export interface RequestSigner {
  readonly subjectRef: string;
  readonly role: string;
  readonly order: number;
  readonly erasedAt: string | null;
}

/** The signers of a request in signing order, by reference only. */
export async function signersOf(tx: Tx, tenantId: string, ref: string): Promise<RequestSigner[]> {
  const rows = await tx.requestSigner.findMany({
    where: { tenantId, requestRef: ref },
    orderBy: [{ signingOrder: "asc" }, { subjectRef: "asc" }],
    select: { subjectRef: true, role: true, signingOrder: true },
  });
  const subjects = await tx.vaultSubject.findMany({
    where: { tenantId, subjectRef: { in: rows.map(({ subjectRef }) => subjectRef) } },
    select: { subjectRef: true, erasedAt: true },
  });
  const erased = new Map(subjects.map(({ subjectRef, erasedAt }) => [subjectRef, erasedAt]));
  return rows.map(({ subjectRef, role, signingOrder }) => ({
    subjectRef,
    role,
    order: signingOrder,
    erasedAt: erased.get(subjectRef)?.toISOString() ?? null,
  }));
}
