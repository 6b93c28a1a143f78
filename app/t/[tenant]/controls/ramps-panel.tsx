"use client";

import panels from "@/components/panel.module.css";
import { StateBadge } from "@/components/state-badge";
import { TimeWithZone } from "@/components/time-with-zone";
import { scopeWords } from "@/lib/domain/switch-scope";
import type { RunningRamp } from "@/lib/queries/switches";
import classes from "./controls.module.css";

/** What starts again, a few per minute. */
export function RampsPanel({ ramps }: { readonly ramps: readonly RunningRamp[] }) {
  return (
    <section className={panels.panel} aria-labelledby="ramps">
      <h2 className={panels.heading} id="ramps">
        Resuming
      </h2>
      {ramps.map((ramp) => (
        <p key={ramp.id} className={classes.reset}>
          <StateBadge family="switch" code="ramping" /> Running again since{" "}
          <TimeWithZone instant={ramp.since} kind="moment" />: {scopeWords(ramp.scope, ramp.name)},{" "}
          {ramp.started} of {ramp.total} started, {ramp.rate} per minute.
        </p>
      ))}
    </section>
  );
}
