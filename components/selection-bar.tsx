"use client";

import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./selection-bar.module.css";

interface SelectionBarProps {
  readonly count: number;
  /** How many match the filters in all; null where that is not offered. */
  readonly matching: number | null;
  readonly onSelectMatching?: () => void;
  readonly onClear: () => void;
  readonly children: ReactNode;
}

/** Says how much is selected and what can be done with it; nothing is drawn while nothing is. */
export function SelectionBar(props: SelectionBarProps) {
  const { count, matching, onSelectMatching, onClear, children } = props;
  if (count === 0) return null;
  return (
    <section className={classes.bar} aria-label="Selection">
      <output>{count} selected on this page</output>
      <Group gap="xs">
        {matching !== null && matching > count && onSelectMatching ? (
          <Button size="compact-sm" variant="default" onClick={onSelectMatching}>
            Select all {matching} that match
          </Button>
        ) : null}
        {children}
        <Button size="compact-sm" variant="subtle" onClick={onClear}>
          Clear (Esc)
        </Button>
      </Group>
    </section>
  );
}
