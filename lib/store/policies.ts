import { invariant } from "@/lib/domain/invariant";
import type { OperationKind } from "@/lib/domain/operation";
import { FIRST_POLICY, PolicySchema, type VersionedPolicy } from "@/lib/domain/policy";
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
