"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import classes from "@/app/t/[tenant]/privacy/privacy.module.css";
import { getJson } from "@/components/api-call";
import { InlineMoment } from "@/components/inline-moment";
import panels from "@/components/panel.module.css";
import { personWords } from "@/components/person-words";
import type { ErasureView } from "@/lib/queries/erasure-page";
import type { ErasureProps } from "./erasure-detail";

/** What became of an erasure; nothing while it waits for a second person. */
export function Outcome({ tenant, view }: ErasureProps) {
  if (view.state === "asked") return null;
  if (view.state === "refused") return <Refused view={view} />;
  return (
    <section className={panels.panel} aria-labelledby="outcome">
      <h2 id="outcome" className={panels.heading}>
        Contact details of {view.subjectRef} are erased.
      </h2>
      <p className={classes.prose}>
        {view.erasedAt === null ? null : (
          <>
            The key was destroyed at <InlineMoment instant={view.erasedAt} />, so nobody, including
            us, can read them.{" "}
          </>
        )}
        <Checked tenant={tenant} view={view} /> Old keys stay closed.
        {view.backupsUntil === null ? null : (
          <>
            {" "}
            Database backups made before may still hold the key until they age out on{" "}
            <InlineMoment instant={view.backupsUntil} />.
          </>
        )}
      </p>
      {view.decidedBy === null ? null : (
        <p className={classes.prose}>Confirmed by {personWords(view.decidedBy)}.</p>
      )}
    </section>
  );
}

function Refused({ view }: { readonly view: ErasureView }) {
  const by = view.decidedBy === null ? "somebody" : personWords(view.decidedBy);
  return (
    <section className={panels.panel} aria-labelledby="outcome">
      <h2 id="outcome" className={panels.heading}>
        Refused. Nothing was destroyed.
      </h2>
      <p className={classes.prose}>
        By {by}
        {view.decidedAt === null ? null : (
          <>
            , <InlineMoment instant={view.decidedAt} />
          </>
        )}
        {view.refusalReason === null ? "." : `. Reason: ${view.refusalReason}`}
      </p>
    </section>
  );
}

function Checked({ tenant, view }: ErasureProps) {
  const { check } = view;
  if (check === null) return null;
  const place = `/t/${tenant}/history/verify/${check.id}`;
  if (check.finishedAt === null) return <Checking tenant={tenant} checkId={check.id} />;
  if (check.findings > 0) {
    return (
      <>
        The check of the history found {check.findings} changes:{" "}
        <Link href={place} className={classes.target}>
          see them
        </Link>
        .
      </>
    );
  }
  return (
    <>
      History, hashes and seals still verify (
      <Link href={place} className={classes.target}>
        checked <InlineMoment instant={check.finishedAt} />
      </Link>
      ).
    </>
  );
}

/** Only the check is asked about until it ends: each reading of the page itself is a reading of the vault. */
const EVERY_MS = 2000;

function Checking({ tenant, checkId }: { readonly tenant: string; readonly checkId: string }) {
  const router = useRouter();
  const { data: ended } = useQuery({
    queryKey: [tenant, "erasure-check", checkId],
    queryFn: async () => {
      const url = `/api/v1/t/${tenant}/history/checks/${checkId}`;
      const answer = await getJson<{ check: { finishedAt: string | null } }>(url);
      return answer.kind === "ok" && answer.data.check.finishedAt !== null;
    },
    initialData: false,
    refetchInterval: ({ state }) => (state.data ? false : EVERY_MS),
  });
  useEffect(() => {
    if (ended) router.refresh();
  }, [ended, router]);
  return <>The history is being checked.</>;
}
