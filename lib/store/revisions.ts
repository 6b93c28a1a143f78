import type { RequestStatus } from "@/lib/domain/observation";
import type { Tx } from "./db";
import type { SignerRow } from "./requests";

/** What the newest read of a send showed of the request that it made. */
export interface OwnReading {
  readonly receiptId: string;
  readonly platformRef: string;
  readonly status: RequestStatus;
}

/** The newest read that showed what this send made at the platform; null while none has. */
export async function newestOwnReading(
  tx: Tx,
  tenantId: string,
  opId: string,
): Promise<OwnReading | null> {
  const [row] = await tx.$queryRaw<OwnReading[]>`
    SELECT r.id AS "receiptId", r.platform_ref AS "platformRef", r.status
    FROM operations o JOIN read_receipts r
      ON r.tenant_id = o.tenant_id AND r.op_id = o.op_id AND r.outcome = 'read' AND r.platform_ref = o.platform_ref
    WHERE o.tenant_id = ${tenantId}::uuid AND o.op_id = ${opId}::uuid
    ORDER BY r.started_at DESC LIMIT 1`;
  return row ?? null;
}

/** Writes which revision of the contract the request stands for at the platform (ID-7). */
export async function setRevision(
  tx: Tx,
  tenantId: string,
  requestRef: string,
  revision: number,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE requests SET revision = ${revision} WHERE tenant_id = ${tenantId}::uuid AND ref = ${requestRef}`;
}

/** Puts the signers of a confirmed send in the place of those before (ID-7). */
export async function replaceSigners(
  tx: Tx,
  tenantId: string,
  requestRef: string,
  signers: readonly SignerRow[],
): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM request_signers WHERE tenant_id = ${tenantId}::uuid AND request_ref = ${requestRef}`;
  await tx.requestSigner.createMany({
    data: signers.map(({ order, ...signer }) => ({
      ...signer,
      tenantId,
      requestRef,
      signingOrder: order,
    })),
  });
}
