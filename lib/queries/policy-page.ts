import { FIRST_POLICY, type Policy } from "@/lib/domain/policy";
import type { PolicyKind } from "@/lib/domain/policy-words";
import { asTenant, type Database, type Tx } from "@/lib/store/db";
import { policyVersions } from "@/lib/store/policies";
import { type Person, personsOf } from "./persons";

export interface PolicyVersionView {
  readonly version: number;
  readonly policy: Policy;
  /** Null where the installation wrote it. */
  readonly by: Person | null;
  /** RFC 3339 in UTC; null for the version that every tenant begins with. */
  readonly at: string | null;
}

export interface PolicyPage {
  readonly kind: PolicyKind;
  /** Newest first; never empty. The first of them holds for new proposals. */
  readonly versions: readonly [PolicyVersionView, ...PolicyVersionView[]];
  /** Proposals that wait for approval and keep the version that they were made under. */
  readonly pending: readonly { readonly version: number; readonly count: number }[];
  /** Approved operations of the kind that are not settled; saving does not touch them either. */
  readonly underWay: number;
}

/** The versions of a kind's policy and what is open under them (AP-2). */
export async function policyPage(
  db: Database,
  tenantId: string,
  viewerAccountId: string,
  kind: PolicyKind,
): Promise<PolicyPage> {
  return asTenant(db, tenantId, async (tx) => {
    const rows = await policyVersions(tx, tenantId, kind);
    const names = rows.flatMap(({ createdBy }) =>
      createdBy === null ? [] : [`user:${createdBy}`],
    );
    const persons = await personsOf(tx, tenantId, names, viewerAccountId);
    const written = rows.map(({ version, policy, createdBy, createdAt }) => ({
      version,
      policy,
      by: persons.get(`user:${createdBy}`) ?? null,
      at: createdAt.toISOString(),
    }));
    const first = { ...FIRST_POLICY, by: null, at: null };
    const isWritten = written.some(({ version }) => version === FIRST_POLICY.version);
    const [newest, ...older] = isWritten ? written : [...written, first];
    if (!newest) throw new Error("the first version of a policy always exists");
    return {
      kind,
      versions: [newest, ...older],
      pending: await pendingByVersion(tx, tenantId, kind),
      underWay: await underWay(tx, tenantId, kind),
    };
  });
}

async function pendingByVersion(tx: Tx, tenantId: string, kind: PolicyKind) {
  const rows = await tx.operation.groupBy({
    by: ["policyVersion"],
    where: { tenantId, kind, state: "proposed" },
    _count: true,
    orderBy: { policyVersion: "desc" },
  });
  return rows.map(({ policyVersion, _count }) => ({ version: policyVersion, count: _count }));
}

function underWay(tx: Tx, tenantId: string, kind: PolicyKind): Promise<number> {
  const settled = ["proposed", "done", "obsolete", "superseded", "failed_terminal"];
  return tx.operation.count({ where: { tenantId, kind, state: { notIn: settled } } });
}
