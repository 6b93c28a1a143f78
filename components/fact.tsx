"use client";

import { type ReactNode, useEffect, useRef } from "react";
import classes from "./fact.module.css";

interface FactProps {
  /** What happened, with its moment: "Approved by you at 16:22:41Z." */
  readonly children: ReactNode;
  /** Where to go on from here. */
  readonly actions?: ReactNode;
  /** False for a fact that was already true when the page came; it then leaves focus where it is. */
  readonly takesFocus?: boolean;
}

/** Stands where a button was, once the act is done. It takes the focus that the button had. */
export function Fact({ children, actions, takesFocus = true }: FactProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) place.current?.focus();
  }, [takesFocus]);
  return (
    <div ref={place} role="status" tabIndex={-1} className={classes.fact}>
      <div>{children}</div>
      {actions ? <div className={classes.actions}>{actions}</div> : null}
    </div>
  );
}
