"use client";

import type { ReactNode } from "react";
import { useLive } from "@/components/frame/live";
import { ListError } from "@/components/list-states";
import panels from "@/components/panel.module.css";
import type { ControlsPage } from "@/lib/queries/controls-page";
import { ControlLog } from "./control-log";
import classes from "./controls.module.css";
import { ModesPanel } from "./modes-panel";
import { RampsPanel } from "./ramps-panel";
import { SwitchPanel } from "./switch-panel";

interface ControlsViewProps {
  readonly tenant: string;
  readonly initial: ControlsPage;
  readonly mayResume: boolean;
  readonly mayChangeModes: boolean;
  /** Stands between the modes and the log. */
  readonly children: ReactNode;
}

/** Switches, ramps, modes and the record of who changed them, as they are now. */
export function ControlsView(props: ControlsViewProps) {
  const { tenant, initial, mayResume, mayChangeModes, children } = props;
  const live = useLive<ControlsPage>([tenant, "controls"], `/api/v1/t/${tenant}/controls`, initial);
  const { switches, ramps, modes, log } = live.data;
  return (
    <div className={classes.page}>
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          The switch state could not be read. Treat it as unknown; the pause button still works.
        </ListError>
      ) : null}
      <section className={panels.panel} aria-labelledby="switches">
        <h2 className={panels.heading} id="switches">
          Active switches
        </h2>
        {switches.length === 0 ? <p className={classes.none}>Nothing is paused.</p> : null}
        <div className={classes.switches}>
          {switches.map((one) => (
            <SwitchPanel key={one.id} tenant={tenant} one={one} mayResume={mayResume} />
          ))}
        </div>
      </section>
      {ramps.length === 0 ? null : <RampsPanel ramps={ramps} />}
      <ModesPanel tenant={tenant} modes={modes} mayChange={mayChangeModes} again={live.again} />
      {children}
      <ControlLog log={log} />
    </div>
  );
}
