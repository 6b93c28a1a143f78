"use client";

import { Button } from "@mantine/core";
import { CircleX, CloudOff } from "lucide-react";
import type { ReactNode } from "react";
import type { ReadFailed } from "@/components/frame/live-json";
import classes from "./list-states.module.css";

interface ListEmptyProps {
  /** What this list is: "Nothing waits for you." */
  readonly children: ReactNode;
  /** The one action that fills it. */
  readonly action?: ReactNode;
}

/** A list that was never filled. */
export function ListEmpty({ children, action }: ListEmptyProps) {
  return (
    <div className={classes.empty}>
      <p>{children}</p>
      {action}
    </div>
  );
}

/** A list that the filters leave empty. */
export function ListNoMatch({ onClear }: { onClear(): void }) {
  return (
    <div className={classes.empty}>
      <p>Nothing matches these filters.</p>
      <Button variant="default" size="xs" onClick={onClear}>
        Clear filters
      </Button>
    </div>
  );
}

interface ListErrorProps {
  /** What could not be loaded: "Operations could not be loaded." */
  readonly children: ReactNode;
  readonly failed: ReadFailed;
  again(): void;
}

/** A list that could not be read. Says that nothing changed, and gives the request id to ask with. */
export function ListError({ children, failed, again }: ListErrorProps) {
  const requestId = failed.problem?.request_id;
  return (
    <div role="alert" className={classes.error}>
      {failed.problem ? <CircleX size={16} aria-hidden /> : <CloudOff size={16} aria-hidden />}
      <div>
        <p>{children} Nothing was changed.</p>
        {requestId ? (
          <p className={classes.request}>
            request <code>{requestId}</code>
          </p>
        ) : null}
      </div>
      <Button variant="default" size="xs" onClick={again}>
        Try again
      </Button>
    </div>
  );
}

/** The bar that stands for rows that would move the list: "3 new, show". */
export function NewRows({ count, show }: { readonly count: number; show(): void }) {
  if (count === 0) return null;
  return (
    <Button variant="light" size="compact-sm" fullWidth onClick={show}>
      {count} new, show
    </Button>
  );
}
