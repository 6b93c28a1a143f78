"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import classes from "@/app/t/[tenant]/privacy/privacy.module.css";
import type { RetentionPage } from "@/lib/queries/retention-page";
import { Holds } from "./holds";
import { RulesTable } from "./rules-table";
import { RunLog } from "./run-log";

interface RetentionViewProps {
  readonly tenant: string;
  readonly page: RetentionPage;
  readonly may: { readonly save: boolean; readonly hold: boolean };
}

/** The schedule by class, holds, and what runs removed. Reasons are readings of the vault, so nothing here polls. */
export function RetentionView({ tenant, page, may }: RetentionViewProps) {
  const router = useRouter();
  const [said, setSaid] = useState<string | null>(null);
  const heard = (words: string) => {
    setSaid(words);
    router.refresh();
  };
  const url = `/api/v1/t/${tenant}/privacy`;
  return (
    <div className={classes.page}>
      <p role="status" className={classes.said}>
        {said}
      </p>
      <RulesTable page={page} url={url} maySave={may.save} heard={heard} />
      <Holds holds={page.holds} tenant={tenant} url={url} mayHold={may.hold} heard={heard} />
      <RunLog runs={page.runs} />
    </div>
  );
}
