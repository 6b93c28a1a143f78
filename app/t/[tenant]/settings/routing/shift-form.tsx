"use client";

import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import type { OwnerChoice } from "@/components/owner-picker";
import { accountOf, TEAMS, type Team, teamOf } from "@/lib/domain/team";
import { ownerWords } from "@/lib/domain/waiting";
import classes from "./routing.module.css";

export interface NewShift {
  readonly team: Team;
  readonly accountId: string;
  readonly startsAt: string;
  readonly endsAt: string;
}

interface ShiftFormProps {
  readonly owners: readonly OwnerChoice[];
  readonly busy: boolean;
  readonly onAdd: (shift: NewShift) => void;
}

/** A further shift: one person of a team, from one moment to another, both in UTC. */
export function ShiftForm({ owners, busy, onAdd }: ShiftFormProps) {
  const [team, setTeam] = useState<Team>("team:on-call");
  const [person, setPerson] = useState("");
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const [error, setError] = useState<string | null>(null);
  const people = owners.filter(({ role }) => role !== null && teamOf(role) === team);
  const add = () => {
    const accountId = accountOf(person);
    const [startsAt, endsAt] = [instantIn(from), instantIn(to)];
    if (accountId === null) return setError("Choose a person.");
    if (startsAt === null || endsAt === null) return setError("Give both moments.");
    if (endsAt <= startsAt) return setError("The shift must end after it begins.");
    setError(null);
    onAdd({ team, accountId, startsAt, endsAt });
  };
  return (
    <fieldset className={classes.rule}>
      <legend>Add a shift</legend>
      <div className={classes.fields}>
        <NativeSelect
          label="Team"
          value={team}
          data={TEAMS.map((value) => ({ value, label: ownerWords(value) }))}
          onChange={(event) => {
            setTeam(event.currentTarget.value as Team);
            setPerson("");
          }}
        />
        <NativeSelect
          label="Person"
          value={person}
          data={[
            { value: "", label: "Choose…" },
            ...people.map(({ owner }) => ({ value: owner, label: ownerWords(owner) })),
          ]}
          onChange={(event) => setPerson(event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label="From (UTC)"
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label="To (UTC)"
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
      </div>
      {error === null ? null : <p role="alert">{error}</p>}
      <div>
        <Button variant="default" loading={busy} onClick={add}>
          Add shift
        </Button>
      </div>
    </fieldset>
  );
}

/** RFC 3339 of what a date field gives, read as UTC; null while it is not whole. */
function instantIn(text: string): string | null {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? `${text}:00.000Z` : null;
}
