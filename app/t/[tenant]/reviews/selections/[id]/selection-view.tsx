"use client";

import { useLive } from "@/components/frame/live";
import { ListError } from "@/components/list-states";
import panel from "@/components/panel.module.css";
import { TimeWithZone } from "@/components/time-with-zone";
import type { DecisionSelectionPage } from "@/lib/queries/decision-selection-page";
import { BulkForm } from "./bulk-form";
import { BulkProgress } from "./bulk-progress";
import classes from "./selection.module.css";
import { SelectionTable } from "./selection-table";
import { useBulk } from "./use-bulk";

interface SelectionViewProps {
  readonly tenant: string;
  readonly initial: DecisionSelectionPage;
}

/** One decision with one reason for a frozen list; each item is proven or not by its own read (RV-3). */
export function SelectionView({ tenant, initial }: SelectionViewProps) {
  const url = `/api/v1/t/${tenant}/reviews/selections/${initial.id}`;
  const live = useLive<DecisionSelectionPage>([tenant, "selection", initial.id], url, initial);
  const page = live.data;
  const bulk = useBulk(url, live.again);
  return (
    <div className={classes.page}>
      <section className={panel.panel} aria-label="Selection">
        <p className={classes.plain}>
          <strong>{page.count}</strong> {page.count === 1 ? "item" : "items"} of one reason
          {page.kind === null ? "" : " and one kind"}: {page.sentence}{" "}
          <code className={panel.mono}>{page.reason}</code>
        </p>
        <p className={classes.plain}>
          Selected <TimeWithZone instant={page.createdAt} kind="moment" form="one" />
        </p>
      </section>
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          The selection could not be loaded. What a worker has begun goes on.
        </ListError>
      ) : null}
      {page.decidedAt === null ? (
        <BulkForm page={page} bulk={bulk} />
      ) : (
        <BulkProgress tenant={tenant} page={page} bulk={bulk} />
      )}
      <SelectionTable tenant={tenant} page={page} />
    </div>
  );
}
