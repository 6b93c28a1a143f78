import { invariant } from "@/lib/domain/invariant";
import type { OperationKind } from "@/lib/domain/operation";
import { FIRST_POLICY, type Policy, PolicySchema, type VersionedPolicy } from "@/lib/domain/policy";
import type { Db } from "@/lib/store/db";

/** The policy that new proposals of a kind are made under: the newest, or the first one of all (AP-2). */
export async function presentPolicy(
  db: Db,
  tenantId: string,
  kind: OperationKind,
): Promise<VersionedPolicy> {
  const row = await db.policy.findFirst({
    where: { tenantId, kind },
    orderBy: { version: "desc" },
    select: { version: true, body: true },
  });
  return row ? { version: row.version, policy: parsed(row.body) } : FIRST_POLICY;
}

/** The policy that a proposal was made under; a pending proposal keeps it (AP-2). */
export async function policyOfVersion(
  db: Db,
  tenantId: string,
  kind: OperationKind,
  version: number,
): Promise<VersionedPolicy> {
  const row = await db.policy.findUnique({
    where: { tenantId_kind_version: { tenantId, kind, version } },
    select: { body: true },
  });
  if (row) return { version, policy: parsed(row.body) };
  invariant(version === FIRST_POLICY.version, "an operation names a policy that exists");
  return FIRST_POLICY;
}

function parsed(body: string): VersionedPolicy["policy"] {
  return PolicySchema.parse(JSON.parse(body));
}

/** One written version of a policy; version 1 holds also where it is written nowhere. */
export interface PolicyVersionRow extends VersionedPolicy {
  /** Account that wrote it; null where the installation did. */
  readonly createdBy: string | null;
  readonly createdAt: Date;
}

/** The written versions of a kind's policy, newest first. */
export async function policyVersions(
  db: Db,
  tenantId: string,
  kind: OperationKind,
): Promise<readonly PolicyVersionRow[]> {
  const rows = await db.policy.findMany({
    where: { tenantId, kind },
    orderBy: { version: "desc" },
    select: { version: true, body: true, createdBy: true, createdAt: true },
  });
  return rows.map(({ body, ...row }) => ({ ...row, policy: parsed(body) }));
}

/**
 * Writes a version of a policy; an existing one is never changed (AP-2). False when somebody wrote this version
 * first: of any number of writers the key lets exactly one through.
 */
export async function insertPolicy(
  db: Db,
  written: {
    readonly tenantId: string;
    readonly kind: OperationKind;
    readonly version: number;
    readonly policy: Policy;
    readonly accountId: string;
  },
): Promise<boolean> {
  const body = JSON.stringify(PolicySchema.parse(written.policy));
  const count = await db.$executeRaw`
    INSERT INTO policies (tenant_id, kind, version, body, created_by)
    VALUES (${written.tenantId}::uuid, ${written.kind}, ${written.version}, ${body}, ${written.accountId}::uuid)
    ON CONFLICT DO NOTHING`;
  return count === 1;
}
