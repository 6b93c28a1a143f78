import { redirect } from "next/navigation";
import { requirePage } from "@/app/_server/session";
import { POLICY_KINDS } from "@/lib/domain/policy-words";

interface Props {
  readonly params: Promise<{ tenant: string }>;
}

/** There is no page about all policies: the first kind opens, the others are one tab away. */
export default async function PoliciesPage({ params }: Props) {
  const { tenant } = await params;
  await requirePage(tenant, "ledger.view");
  redirect(`/t/${tenant}/settings/policies/${POLICY_KINDS[0]}`);
}
