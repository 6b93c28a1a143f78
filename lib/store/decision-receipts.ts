import type { Db } from "./db";

/** A stored read with its whole body. */
export interface WholeReceipt {
  readonly id: string;
  readonly purpose: string;
  readonly outcome: string;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly body: string;
  readonly hash: string;
}

/**
 * The newest read of what an item is about that came to an answer: of its operation, or of its request where it has
 * none (PL-4). Null while there is none.
 */
export async function newestReceiptOf(
  db: Db,
  tenantId: string,
  about: {
    readonly operation: { readonly opId: string; readonly kind: string } | null;
    readonly request: { readonly ref: string } | null;
  },
): Promise<WholeReceipt | null> {
  if (about.request === null) return null;
  // What was read of the request for other purposes says the same of every change; a send is known by its own looks.
  const opId = about.operation?.kind === "send" ? { opId: about.operation.opId } : {};
  return db.readReceipt.findFirst({
    where: {
      tenantId,
      requestRef: about.request.ref,
      ...opId,
      outcome: { in: ["read", "not_found"] },
    },
    orderBy: [{ startedAt: "desc" }, { id: "desc" }],
    select: {
      id: true,
      purpose: true,
      outcome: true,
      startedAt: true,
      finishedAt: true,
      body: true,
      hash: true,
    },
  });
}
