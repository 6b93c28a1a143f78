"use client";

import { useEffect, useRef } from "react";
import classes from "./error-summary.module.css";

export interface FormError {
  /** Id of the field; null for what belongs to no field. */
  readonly field: string | null;
  readonly sentence: string;
}

interface ErrorSummaryProps {
  readonly errors: readonly FormError[];
  /** Changes with every attempt, so that the same errors take the focus again. */
  readonly attempt: number;
}

/** What is wrong with a form, on top of it and with the focus on it; each line leads to its field. */
export function ErrorSummary({ errors, attempt }: ErrorSummaryProps) {
  const place = useRef<HTMLDivElement>(null);
  const shown = errors.length > 0;
  useEffect(() => {
    if (shown && attempt > 0) place.current?.focus();
  }, [shown, attempt]);
  useErrorTitle(shown);
  if (!shown) return null;
  return (
    <div ref={place} role="alert" tabIndex={-1} className={classes.summary}>
      <h2>{errors.length === 1 ? "One thing to correct" : `${errors.length} things to correct`}</h2>
      <ul>
        {errors.map(({ field, sentence }) => (
          <li key={`${field} ${sentence}`}>
            {field === null ? (
              sentence
            ) : (
              <a
                href={`#${field}`}
                onClick={(event) => {
                  event.preventDefault();
                  focusField(field);
                }}
              >
                {sentence}
              </a>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A field may be a group of radios, which takes the focus at its first one. */
function focusField(id: string): void {
  const field = document.getElementById(id);
  const target = field?.matches("input, textarea, select, button") ? field : null;
  (target ?? field?.querySelector<HTMLElement>("input, textarea, button"))?.focus();
}

const PREFIX = "Error: ";

function useErrorTitle(shown: boolean): void {
  useEffect(() => {
    if (!shown) return;
    document.title = `${PREFIX}${document.title}`;
    return () => {
      if (document.title.startsWith(PREFIX)) document.title = document.title.slice(PREFIX.length);
    };
  }, [shown]);
}
