import type { HistoryFinding } from "@/lib/domain/history-finding";
import type { Database } from "@/lib/store/db";
import { verifyChains } from "./verify-chains";

export interface VerifyReport {
  readonly tenants: number;
  readonly chains: number;
  readonly entries: number;
  readonly seals: number;
  readonly findings: number;
}

/**
 * Checks the whole history of every tenant, or of the one with this slug (SM-4), and writes nothing. `onFinding` is
 * told of each finding as it comes. As the schema's owner; null when no tenant has the slug.
 */
export async function verifyAll(
  owner: Database,
  slug: string | null,
  onFinding: (tenant: string, finding: HistoryFinding) => void,
): Promise<VerifyReport | null> {
  const tenants = await owner.tenant.findMany({
    where: slug === null ? {} : { slug },
    orderBy: { slug: "asc" },
    select: { id: true, slug: true },
  });
  if (tenants.length === 0) return null;
  let report = { tenants: tenants.length, chains: 0, entries: 0, seals: 0, findings: 0 };
  for (const tenant of tenants) {
    for await (const step of verifyChains(owner, tenant.id, { kind: "all" })) {
      for (const finding of step.findings) onFinding(tenant.slug, finding);
      report = {
        ...report,
        chains: report.chains + step.chains,
        entries: report.entries + step.entries,
        seals: report.seals + step.seals,
        findings: report.findings + step.findings.length,
      };
    }
  }
  return report;
}
