"use client";

import { useLive } from "@/components/frame/live";
import { ListError } from "@/components/list-states";
import panel from "@/components/panel.module.css";
import type { SystemPage } from "@/lib/queries/system-page";
import { ClocksPanel } from "./clocks-panel";
import { GroupPanel } from "./group-panel";
import { ReadsPanel } from "./reads-panel";
import classes from "./system.module.css";
import { WorkersPanel } from "./workers-panel";

interface SystemViewProps {
  readonly tenant: string;
  readonly initial: SystemPage;
}

/** Whether the machinery is well, every two seconds anew. */
export function SystemView({ tenant, initial }: SystemViewProps) {
  const live = useLive<SystemPage>([tenant, "system"], `/api/v1/t/${tenant}/system`, initial);
  const { workers, groups, reads, clocks, versions } = live.data;
  return (
    <div className={classes.page}>
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          Figures could not be loaded. Look at <code>/health</code>.
        </ListError>
      ) : null}
      <WorkersPanel tenant={tenant} workers={workers} />
      <div className={classes.groups}>
        {groups.map((group) => (
          <GroupPanel key={group.title} tenant={tenant} group={group} />
        ))}
      </div>
      <ReadsPanel tenant={tenant} reads={reads} />
      <div className={classes.groups}>
        <ClocksPanel tenant={tenant} clocks={clocks} />
        <section className={panel.panel} aria-label="Versions">
          <h2 className={panel.heading}>Versions</h2>
          <dl className={panel.pairs}>
            {versions.map(({ name, version }) => (
              <div key={name} className={classes.pair}>
                <dt>{name}</dt>
                <dd className={panel.mono}>{version}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </div>
  );
}
