"use client";

import { Checkbox } from "@mantine/core";
import { useEffect, useState } from "react";
import classes from "./deadlines.module.css";

/** Columns that are hidden until somebody wants them. */
export const EXTRA_COLUMNS = {
  drift: "Drift",
  rule: "Rule",
  rule_data: "Rule data",
  reminder_owner: "Reminder owner",
} as const;

export type ExtraColumn = keyof typeof EXTRA_COLUMNS;

const ALL = Object.keys(EXTRA_COLUMNS) as readonly ExtraColumn[];
const STORED_AS = "dl-deadline-columns";

/** The extra columns that this person wants here, kept in this browser and never in the address (screens 1.6). */
export function useExtraColumns() {
  const [shown, setShown] = useState<readonly ExtraColumn[]>([]);
  useEffect(() => {
    const kept = (window.localStorage.getItem(STORED_AS) ?? "").split(",");
    setShown(ALL.filter((column) => kept.includes(column)));
  }, []);
  const choose = (column: ExtraColumn, on: boolean) => {
    const next = ALL.filter((each) => (each === column ? on : shown.includes(each)));
    window.localStorage.setItem(STORED_AS, next.join(","));
    setShown(next);
  };
  const chooser = (
    <details className={classes.columns}>
      <summary>Columns</summary>
      <div>
        {ALL.map((column) => (
          <Checkbox
            key={column}
            size="xs"
            label={EXTRA_COLUMNS[column]}
            checked={shown.includes(column)}
            onChange={(event) => choose(column, event.currentTarget.checked)}
          />
        ))}
      </div>
    </details>
  );
  return { shown, chooser };
}
