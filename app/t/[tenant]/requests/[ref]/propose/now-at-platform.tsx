"use client";

import { Button } from "@mantine/core";
import { StateBadge } from "@/components/state-badge";
import { Age } from "@/components/ticking";
import type { FreshRead } from "@/components/use-fresh-read";
import { formatDeadline } from "@/lib/domain/deadline";
import type { RequestWordCode } from "@/lib/domain/words";
import type { RequestHead } from "@/lib/queries/request-head";
import classes from "./propose.module.css";

interface NowAtPlatformProps {
  readonly request: RequestHead;
  readonly read: FreshRead;
}

/** What the platform shows now, how old that read is, and what happens when there is none. */
export function NowAtPlatform({ request, read }: NowAtPlatformProps) {
  const { status, platformExpiresAt, zone, signed, signerCount, readAt, receiptId, now } = request;
  return (
    <section className={classes.now} aria-label="Now at the platform">
      <p>
        Now at the platform:{" "}
        {platformExpiresAt === null
          ? "no expiry shown"
          : `expires ${formatDeadline(platformExpiresAt, zone).line1}`}{" "}
        · <StateBadge family="request" code={status as RequestWordCode} />
        {signed === null || signerCount === null ? null : ` ${signed} of ${signerCount} signed`}
      </p>
      <p className={classes.read}>
        {readAt === null ? (
          "Never read"
        ) : (
          <>
            Read <Age since={readAt} now={now} form="ago" />
            {receiptId === null ? null : ` · r_${receiptId.slice(0, 8)}`}
          </>
        )}
        <Button
          size="compact-xs"
          variant="default"
          loading={read.state === "reading"}
          onClick={read.read}
        >
          Read again
        </Button>
      </p>
      {read.state === "failed" ? (
        <p role="status">
          The form needs a read and could not get one.{" "}
          {readAt === null ? "" : "You may go on with the last read. "}
          Approval will compare again.{read.problem === null ? "" : ` (${read.problem})`}
        </p>
      ) : null}
    </section>
  );
}
