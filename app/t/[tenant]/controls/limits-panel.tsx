"use client";

import { Button } from "@mantine/core";
import { useState } from "react";
import cards from "@/components/card-table.module.css";
import { useLive } from "@/components/frame/live";
import { ListError } from "@/components/list-states";
import panels from "@/components/panel.module.css";
import { TimeWithZone } from "@/components/time-with-zone";
import type { LimitsPage, LimitsRow, UseView } from "@/lib/queries/limits";
import classes from "./controls.module.css";
import { LimitsDialog } from "./limits-dialog";

interface LimitsPanelProps {
  readonly tenant: string;
  readonly initial: LimitsPage;
  readonly mayChange: boolean;
}

/** Quotas, rates and read budgets with what is used of them now, and a dialog to change them. */
export function LimitsPanel({ tenant, initial, mayChange }: LimitsPanelProps) {
  const live = useLive<LimitsPage>([tenant, "limits"], `/api/v1/t/${tenant}/limits`, initial);
  return (
    <section className={panels.panel} aria-labelledby="limits">
      <h2 className={panels.heading} id="limits">
        Quotas, rates and read budget
      </h2>
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          The present use could not be read. The limits hold all the same.
        </ListError>
      ) : null}
      <div className={cards.scroll}>
        <table className={cards.table}>
          <caption>What is used of each limit now</caption>
          <thead>
            <tr>
              <th scope="col">Scope</th>
              <th scope="col">In flight</th>
              <th scope="col">Calls in the last minute</th>
              <th scope="col">Reads in the last hour</th>
              <th scope="col">Next free</th>
              <th scope="col">Change</th>
            </tr>
          </thead>
          <tbody>
            {live.data.rows.map((row) => (
              <Row
                key={row.connectionId ?? "tenant"}
                {...{ tenant, row, mayChange, again: live.again }}
              />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface RowProps {
  readonly tenant: string;
  readonly row: LimitsRow;
  readonly mayChange: boolean;
  again(): void;
}

function Row({ tenant, row, mayChange, again }: RowProps) {
  const [open, setOpen] = useState(false);
  const { name, inFlight, callsOfMinute, readsOfHour, nextFreeAt } = row;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-label="In flight">
        <Use {...inFlight} />
      </td>
      <td data-label="Calls in the last minute">
        <Use {...callsOfMinute} />
      </td>
      <td data-label="Reads in the last hour">
        {readsOfHour === null ? (
          "–"
        ) : (
          <>
            <Use {...readsOfHour} />
            <span className={cards.second}>at this rate {readsOfHour.hourlyRate} an hour</span>
          </>
        )}
      </td>
      <td data-label="Next free">
        {nextFreeAt === null ? freeWords(row) : <TimeWithZone instant={nextFreeAt} kind="moment" />}
      </td>
      <td data-label="Change">
        {mayChange ? (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => setOpen(true)}
            aria-label={`Change the limits of ${name}`}
          >
            Change…
          </Button>
        ) : (
          "–"
        )}
        {open ? (
          <LimitsDialog
            {...{ tenant, row }}
            close={() => setOpen(false)}
            done={() => {
              setOpen(false);
              again();
            }}
          />
        ) : null}
      </td>
    </tr>
  );
}

function freeWords({ inFlight }: LimitsRow): string {
  const full = inFlight.limit !== null && inFlight.used >= inFlight.limit;
  return full ? "When one ends" : "Now";
}

function Use({ used, limit }: UseView) {
  return (
    <span className={classes.numbers}>
      {limit === null ? `${used}, no limit known` : `${used} of ${limit}`}
    </span>
  );
}
