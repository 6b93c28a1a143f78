"use client";

import { CopyButton, Tooltip, UnstyledButton } from "@mantine/core";
import { Check, Copy } from "lucide-react";
import classes from "./hash.module.css";

interface HashProps {
  /** 64 lower-case hexadecimal digits. */
  readonly value: string;
  /** What was hashed: "payload", "entry". */
  readonly kind: string;
  /** A hash that this one should equal; the outcome is said in words. */
  readonly expected?: string;
}

/** `sha256 9f2c 81d0 … 44ab`: short on the page, whole for screen readers, in the tooltip and in the copy. */
export function Hash({ value, kind, expected }: HashProps) {
  return (
    <span className={classes.hash}>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Tooltip
            label={inFours(value)}
            multiline
            maw={420}
            classNames={{ tooltip: classes.whole ?? "" }}
          >
            <UnstyledButton className={classes.button} onClick={copy}>
              <span className={classes.hidden}>
                Copy {kind} hash {value}
              </span>
              <span aria-hidden="true">sha256 {shortened(value)}</span>
              {copied ? <Check size={12} aria-hidden /> : <Copy size={12} aria-hidden />}
            </UnstyledButton>
          </Tooltip>
        )}
      </CopyButton>
      {expected === undefined ? null : (
        <span className={classes.verdict}>{expected === value ? "equal" : "differs"}</span>
      )}
    </span>
  );
}

/** `9f2c 81d0 … 44ab` */
export function shortened(value: string): string {
  if (value.length <= 16) return inFours(value);
  return `${value.slice(0, 4)} ${value.slice(4, 8)} … ${value.slice(-4)}`;
}

function inFours(value: string): string {
  return value.match(/.{1,4}/g)?.join(" ") ?? "";
}
