import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { requirePage } from "@/app/_server/session";
import classes from "@/app/t/[tenant]/runbooks/runbooks.module.css";
import { PageHead } from "@/components/frame/page-head";
import panel from "@/components/panel.module.css";
import { isReasonCode, opensReview } from "@/lib/domain/reason";
import { runbookOf, shownWith } from "@/lib/domain/runbook";
import { RUNBOOK_PARTS } from "@/lib/domain/runbook-document";

interface Props {
  readonly params: Promise<{ tenant: string; code: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { code } = await params;
  return { title: runbookOf(code) ? `Runbook ${code}` : "Not found" };
}

export default async function RunbookPage({ params }: Props) {
  const { tenant, code } = await params;
  await requirePage(tenant, "ledger.view");
  const runbook = runbookOf(code);
  if (runbook === null) notFound();
  const sentence = shownWith(code);
  return (
    <>
      <PageHead
        title={`Runbook ${code}`}
        crumbs={[{ label: "Runbooks", href: `/t/${tenant}/runbooks` }]}
        here={code}
        note={sentence}
      />
      <div className={panel.panel}>
        <dl className={classes.parts}>
          {RUNBOOK_PARTS.map(([part, label]) => (
            <div key={part} className={classes.part}>
              <dt>{label}</dt>
              <dd>{runbook[part]}</dd>
            </div>
          ))}
        </dl>
      </div>
      <p className={classes.links}>
        {isReasonCode(code) && opensReview(code) ? (
          <Link href={`/t/${tenant}/reviews?view=all&reason=${code}`}>
            Review items of this kind
          </Link>
        ) : null}
        <Link href={`/t/${tenant}/runbooks`}>All runbooks</Link>
      </p>
    </>
  );
}
