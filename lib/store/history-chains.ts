import type { ChainEntry } from "@/lib/domain/chain";
import type { ChainFacts } from "@/lib/domain/history-finding";
import type { Tx } from "./db";

/** Everything that the history of one operation is compared with; also for an operation that is not there. */
export async function chainFacts(
  tx: Tx,
  tenantId: string,
  opId: string,
  complete: ChainFacts["complete"],
): Promise<ChainFacts> {
  const operation = await tx.operation.findUnique({
    where: { tenantId_opId: { tenantId, opId } },
    select: {
      chainLength: true,
      chainHead: true,
      version: true,
      payloadHash: true,
      canonicalText: true,
    },
  });
  const entries = await tx.$queryRaw<ChainEntry[]>`
    SELECT seq, kind, from_state AS "fromState", to_state AS "toState", reason, actor,
      to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at, body, hash
    FROM operation_events WHERE tenant_id = ${tenantId}::uuid AND op_id = ${opId}::uuid ORDER BY seq`;
  const leaves = await tx.sealLeaf.findMany({
    where: { tenantId, opId },
    orderBy: { sealSeq: "asc" },
    select: { opId: true, sealSeq: true, length: true, head: true },
  });
  const versions = await tx.operationVersion.findMany({
    where: { tenantId, opId },
    orderBy: { version: "asc" },
    select: { version: true, canonicalText: true, payloadHash: true },
  });
  const [gone] = await tx.$queryRaw<{ mayGo: boolean }[]>`
    SELECT payload_may_go(${tenantId}::uuid, ${opId}::uuid) AS "mayGo"`;
  const head = operation && {
    length: operation.chainLength,
    hash: operation.chainHead,
    version: operation.version,
    payloadHash: operation.payloadHash,
    canonicalText: operation.canonicalText,
  };
  const payloadsMayBeGone = gone?.mayGo ?? false;
  return { tenantId, opId, head, entries, leaves, versions, payloadsMayBeGone, complete };
}

/** The complete seals of a tenant in order, with the moment up to which each covers everything. */
export async function completeSeals(tx: Tx, tenantId: string): Promise<ChainFacts["complete"]> {
  return tx.$queryRaw<{ seq: number; coveredUntil: string }[]>`
    SELECT seq, to_char(covered_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "coveredUntil"
    FROM seals WHERE tenant_id = ${tenantId}::uuid AND complete ORDER BY seq`;
}
