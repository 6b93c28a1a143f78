"use client";

import { Button } from "@mantine/core";
import { useState } from "react";
import { putJson } from "@/components/api-call";
import type { OwnerChoice } from "@/components/owner-picker";
import panel from "@/components/panel.module.css";
import { TimeWithZone } from "@/components/time-with-zone";
import { formatMoment } from "@/lib/domain/deadline";
import { ownerWords } from "@/lib/domain/waiting";
import { epochOf } from "@/lib/domain/zone";
import type { RoutingPage } from "@/lib/queries/routing-page";
import classes from "./routing.module.css";
import { type NewShift, ShiftForm } from "./shift-form";

interface RotaProps {
  readonly tenant: string;
  readonly data: RoutingPage;
  readonly owners: readonly OwnerChoice[];
  readonly mayEdit: boolean;
  readonly onSaved: (words: string) => void;
}

type Shift = RoutingPage["shifts"][number];

/** Who of a team is on call, from when to when. In a gap the whole team is told. */
export function Rota({ tenant, data, owners, mayEdit, onSaved }: RotaProps) {
  const { shifts, gaps } = data;
  const { save, busy, problem } = useSaveRota(tenant, shifts, onSaved);
  return (
    <section className={panel.panel} aria-labelledby="rota">
      <h2 id="rota" className={panel.heading}>
        Rota
      </h2>
      <p className={classes.note}>
        Where no shift covers a moment the whole team is told.
        {shifts.length === 0 ? " There are no shifts, so every team is told as a whole." : ""}
      </p>
      {shifts.length === 0 ? null : (
        <ShiftTable
          shifts={shifts}
          now={data.now}
          busy={busy}
          {...(mayEdit
            ? { remove: (id: string) => save(shifts.filter((shift) => shift.id !== id)) }
            : {})}
        />
      )}
      {gaps.length === 0 ? null : (
        <ul aria-label="Gaps of the next two weeks">
          {gaps.map(({ team, from, until }) => (
            <li key={`${team} ${from}`}>
              {ownerWords(team)}: nobody alone from {formatMoment(from)} to {formatMoment(until)}
            </li>
          ))}
        </ul>
      )}
      {problem === null ? null : <p role="alert">{problem}</p>}
      {mayEdit ? (
        <ShiftForm owners={owners} busy={busy} onAdd={(shift) => save([...shifts, shift])} />
      ) : null}
    </section>
  );
}

interface ShiftTableProps {
  readonly shifts: readonly Shift[];
  readonly now: string;
  readonly busy: boolean;
  readonly remove?: (id: string) => void;
}

function ShiftTable({ shifts, now, busy, remove }: ShiftTableProps) {
  return (
    <div className={panel.scroll}>
      <table className={panel.table}>
        <caption>Shifts that run or are to come</caption>
        <thead>
          <tr>
            <th scope="col">Team</th>
            <th scope="col">Person</th>
            <th scope="col">From</th>
            <th scope="col">To</th>
            {remove ? <th scope="col">Change</th> : null}
          </tr>
        </thead>
        <tbody>
          {shifts.map((shift) => (
            <tr key={shift.id}>
              <th scope="row">{ownerWords(shift.team)}</th>
              <td>
                {ownerWords(`account:${shift.accountId}`)}
                {runs(shift, now) ? ", on call now" : ""}
              </td>
              <td>
                <TimeWithZone instant={shift.startsAt} kind="moment" form="one" />
              </td>
              <td>
                <TimeWithZone instant={shift.endsAt} kind="moment" form="one" />
              </td>
              {remove ? (
                <td>
                  <Button
                    size="compact-sm"
                    variant="default"
                    loading={busy}
                    aria-label={`Remove shift of ${ownerWords(`account:${shift.accountId}`)} from ${formatMoment(shift.startsAt)}`}
                    onClick={() => remove(shift.id)}
                  >
                    Remove shift
                  </Button>
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function runs({ startsAt, endsAt }: Shift, now: string): boolean {
  return epochOf(startsAt) <= epochOf(now) && epochOf(now) < epochOf(endsAt);
}

/** Saves the whole rota as it shall be, on top of what was on screen. */
function useSaveRota(tenant: string, held: readonly Shift[], onSaved: (words: string) => void) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const save = (shifts: readonly (NewShift | Shift)[]) => {
    setBusy(true);
    setProblem(null);
    const body = { shifts, seen: held.map(({ id }) => id) };
    void putJson(`/api/v1/t/${tenant}/routing/rota`, body).then((answer) => {
      setBusy(false);
      if (answer.kind === "refused") return setProblem(answer.problem.detail);
      onSaved(answer.kind === "ok" ? "The rota is changed." : LOST);
    });
  };
  return { save, busy, problem };
}

const LOST = "We did not hear back. The rota below is the one that holds.";
