import type { Metadata } from "next";
import Link from "next/link";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import panel from "@/components/panel.module.css";
import { RUNBOOK_CHAPTERS } from "@/lib/domain/runbook";
import classes from "./runbooks.module.css";

export const metadata: Metadata = { title: "Runbooks" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
}

export default async function RunbooksPage({ params }: Props) {
  const { tenant } = await params;
  await requirePage(tenant, "ledger.view");
  return (
    <>
      <PageHead
        title="Runbooks"
        note="What each alert and each reason code means, what to look at first, and what one may and must not do."
      />
      <div className={classes.chapters}>
        {RUNBOOK_CHAPTERS.map(({ file, title, note, codes }) => (
          <section key={file} className={panel.panel} aria-label={title}>
            <h2 className={panel.heading}>{title}</h2>
            <p className={classes.note}>{note}</p>
            <ul className={classes.codes}>
              {codes.map((code) => (
                <li key={code}>
                  <Link href={`/t/${tenant}/runbooks/${code}`}>{code}</Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}
