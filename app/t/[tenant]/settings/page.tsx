import type { Metadata } from "next";
import Link from "next/link";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { SETTINGS } from "./settings-pages";

export const metadata: Metadata = { title: "Settings" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
}

export default async function SettingsPage({ params }: Props) {
  const { tenant } = await params;
  await requirePage(tenant, "ledger.view");
  return (
    <>
      <PageHead title="Settings" />
      <dl>
        {SETTINGS.map(({ path, label, what }) => (
          <div key={path}>
            <dt>
              <Link href={`/t/${tenant}/settings${path}`}>{label}</Link>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
