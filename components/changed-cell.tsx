"use client";

import { type ReactNode, useState } from "react";
import classes from "./changed-cell.module.css";

interface ChangedCellProps {
  /** What the cell says, as text: another text is a change. */
  readonly says: string;
  readonly children: ReactNode;
}

/** A value on a live page. One that changed since the page was opened is marked, for the eye and for the ear. */
export function ChangedCell({ says, children }: ChangedCellProps) {
  const [first] = useState(says);
  if (says === first) return <>{children}</>;
  return (
    <span key={says} className={classes.changed} data-changed>
      {children} <span className={classes.word}>changed</span>
    </span>
  );
}
