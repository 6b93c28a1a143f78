"use client";

import { useReadingZone } from "@/components/frame/reading-zone";
import { StateBadge } from "@/components/state-badge";
import { formatMoment } from "@/lib/domain/deadline";
import type { ConnectionFacts } from "@/lib/queries/connections-page";
import classes from "./connections.module.css";

/** How the platform answers, and whether new starts are paused there. */
export function ConnectionBadges({ connection }: { readonly connection: ConnectionFacts }) {
  const zone = useReadingZone(null);
  const { health, pausedAt } = connection;
  return (
    <span className={classes.badges}>
      {health === null ? (
        <span>never read</span>
      ) : (
        <StateBadge
          family="connection"
          code={health.state}
          values={health.since === null ? {} : { t: formatMoment(health.since, zone) }}
        />
      )}
      {pausedAt === null ? null : <StateBadge family="switch" code="paused" />}
    </span>
  );
}
