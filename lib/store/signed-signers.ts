import { z } from "zod";
import type { Db } from "@/lib/store/db";

const BodySchema = z.object({
  matches: z.array(z.object({ signed_by: z.array(z.string().nullable()).optional() })),
});

/**
 * The signers who had signed by the read that the mirror comes from, by subject reference. Empty where nobody had,
 * or where the platform does not say who.
 */
export async function signedSigners(
  db: Db,
  tenantId: string,
  receiptId: string | null,
): Promise<ReadonlySet<string>> {
  if (receiptId === null) return new Set();
  const row = await db.readReceipt.findUnique({
    where: { tenantId_id: { tenantId, id: receiptId } },
    select: { body: true },
  });
  const body = row && BodySchema.safeParse(JSON.parse(row.body)).data;
  const signed = body?.matches[0]?.signed_by ?? [];
  return new Set(signed.filter((subjectRef) => subjectRef !== null));
}
