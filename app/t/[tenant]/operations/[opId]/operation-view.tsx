"use client";

import { ArrivalNote } from "@/components/arrival-note";
import { useLive } from "@/components/frame/live";
import { ListError } from "@/components/list-states";
import { Timeline } from "@/components/timeline";
import { WaitingFor } from "@/components/waiting-for";
import { OPERATION_WORDS } from "@/lib/domain/words";
import type { OperationPage } from "@/lib/queries/operation-page";
import { AskedAndSeen } from "./asked-and-seen";
import { Identity } from "./identity";
import classes from "./operation.module.css";
import { timelineOf } from "./story";
import { OperationTabs } from "./tabs";
import { Top } from "./top";

interface OperationViewProps {
  readonly tenant: string;
  readonly initial: OperationPage;
}

/** One operation: what was meant, what happened, what is known, and what comes next. */
export function OperationView({ tenant, initial }: OperationViewProps) {
  const { opId } = initial.operation;
  const live = useLive<OperationPage>(
    [tenant, "operation", opId],
    `/api/v1/t/${tenant}/operations/${opId}`,
    initial,
  );
  const page = live.data;
  return (
    <div className={classes.page}>
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          The operation could not be loaded. This says nothing about its state.
        </ListError>
      ) : null}
      <ArrivalNote waits={page.operation.state === "proposed"} />
      <output className={classes.hidden} aria-live="polite">
        State: {OPERATION_WORDS[page.operation.state].label}
      </output>
      <Top tenant={tenant} page={page} again={live.again} />
      <div className={classes.columns}>
        <WaitingFor
          waiting={page.waiting}
          now={page.now}
          operationsPath={`/t/${tenant}/operations`}
        />
        <Identity tenant={tenant} page={page} />
      </div>
      <AskedAndSeen page={page} />
      <Timeline entries={timelineOf(page)} />
      <OperationTabs page={page} />
    </div>
  );
}
