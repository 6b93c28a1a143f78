"use client";

import { NumberInput, Stack } from "@mantine/core";
import { useState } from "react";
import { putJson } from "@/components/api-call";
import { ConfirmConsequence } from "@/components/confirm-consequence";
import type { LimitsRow } from "@/lib/queries/limits";
import classes from "./controls.module.css";

interface LimitsDialogProps {
  readonly tenant: string;
  readonly row: LimitsRow;
  done(): void;
  close(): void;
}

type Field = "inFlightMax" | "callsPerMinute" | "readsPerHour";

const LABELS: Readonly<Record<Field, string>> = {
  inFlightMax: "Operations in flight, at most",
  callsPerMinute: "Calls per minute, at most",
  readsPerHour: "Reads per hour, at most",
};

/** Changes the limits of one scope; an empty field goes back to the default. */
export function LimitsDialog({ tenant, row, done, close }: LimitsDialogProps) {
  const [set, setSet] = useState(row.set);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const fields: readonly Field[] =
    row.connectionId === null
      ? ["inFlightMax", "callsPerMinute"]
      : ["inFlightMax", "callsPerMinute", "readsPerHour"];
  const confirm = () => {
    setBusy(true);
    const body = { connectionId: row.connectionId, ...set };
    void putJson(`/api/v1/t/${tenant}/limits`, body).then((answer) => {
      setBusy(false);
      if (answer.kind === "ok") return done();
      setError(
        answer.kind === "lost"
          ? "We did not hear back. The table shows what holds now."
          : (answer.problem.fields?.[0]?.sentence ?? answer.problem.detail),
      );
    });
  };
  return (
    <ConfirmConsequence
      opened
      onClose={close}
      question={`Change the limits of ${row.name}?`}
      action="Save limits"
      keep="Keep them as they are"
      onConfirm={confirm}
      busy={busy}
    >
      <Stack gap="sm">
        <p className={classes.reset}>
          They hold from the next start on. What is under way goes on, and nothing is lost.
        </p>
        {fields.map((field) => (
          <NumberInput
            key={field}
            label={LABELS[field]}
            description="Empty: the default"
            min={1}
            max={field === "readsPerHour" ? 10_000_000 : 100_000}
            allowDecimal={false}
            allowNegative={false}
            value={set[field] ?? ""}
            onChange={(value) =>
              setSet({ ...set, [field]: typeof value === "number" ? value : null })
            }
          />
        ))}
        {error === null ? null : (
          <p role="alert" className={classes.unconfirmed}>
            {error}
          </p>
        )}
      </Stack>
    </ConfirmConsequence>
  );
}
