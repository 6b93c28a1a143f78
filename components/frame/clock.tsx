"use client";

import { Tooltip, UnstyledButton } from "@mantine/core";
import classes from "./header.module.css";
import { useFreshness, useNow } from "./live";

/** Beyond this many seconds a person would misjudge "in 5 min". */
const SKEW_TOLD_SECONDS = 2;

/** The database's time. On focus also how far this computer's clock is off. */
export function Clock() {
  const now = useNow();
  const { skewSeconds } = useFreshness();
  const off = Math.abs(skewSeconds);
  return (
    <>
      <Tooltip label={`Server time. Your computer's clock differs by ${off} s.`}>
        <UnstyledButton className={classes.clock} aria-label={`Server time ${timeOf(now)}`}>
          {timeOf(now)}
        </UnstyledButton>
      </Tooltip>
      {off > SKEW_TOLD_SECONDS ? (
        <span className={classes.amber}>
          Your computer's clock is {off} s off. Times here come from the server.
        </span>
      ) : null}
    </>
  );
}

function timeOf(instant: string): string {
  return `${instant.slice(11, 19)}Z`;
}
