import Link from "next/link";
import type { ReactNode } from "react";
import cards from "@/components/card-table.module.css";
import panel from "@/components/panel.module.css";
import { TimeWithZone } from "@/components/time-with-zone";
import { formatDuration, type ZoneDisagreement } from "@/lib/domain/deadline";
import { offsetText } from "@/lib/domain/zone";
import type { ZoneComparison } from "@/lib/flows/compare-zone-rules";
import type { MovedDeadline, PlatformClock, ZonesPage } from "@/lib/queries/zones-page";

interface ZoneDataProps {
  readonly tenant: string;
  readonly page: ZonesPage;
  readonly comparison: ZoneComparison;
  /** Release that the runtime says it carries. */
  readonly runtimeVersion: string;
}

/** The rules that count, who would count differently, what would move, and how far the platforms' clocks are off. */
export function ZoneData({ tenant, page, comparison, runtimeVersion }: ZoneDataProps) {
  return (
    <>
      <Block title="Rules in use">
        <p>
          Release <b>{page.version}</b>, shipped with the product.{" "}
          {page.computedWith.length === 0
            ? "No open request has an approved deadline."
            : `Open deadlines by the release they were computed with: ${page.computedWith
                .map(({ zoneData, count }) => `${zoneData}: ${count}`)
                .join(", ")}.`}{" "}
          {page.unchecked === 0
            ? "All were looked at under the present release."
            : `${page.unchecked} not looked at under the present release yet.`}
        </p>
      </Block>
      <Block title="Who would count differently">
        <p>
          Compared for the zones of open requests, day by day from now on:{" "}
          {comparison.zones.length === 0 ? "none" : comparison.zones.join(", ")}. Nothing is
          computed with these two; a difference only tells why another program may show another
          time.
        </p>
        <Differences
          name={`Runtime (Node ${process.version}, release ${runtimeVersion})`}
          found={comparison.runtime}
        />
        <Differences
          name={`Database (PostgreSQL ${page.databaseVersion})`}
          found={comparison.database}
        />
      </Block>
      <Block title="Deadlines that newer rules would move">
        <Moved tenant={tenant} moved={page.moved} />
      </Block>
      <Block title="Clocks of the platforms">
        <Clocks clocks={page.clocks} />
      </Block>
    </>
  );
}

function Block({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={panel.panel} aria-label={title}>
      <h2 className={panel.heading}>{title}</h2>
      {children}
    </section>
  );
}

interface DifferencesProps {
  readonly name: string;
  readonly found: readonly ZoneDisagreement[];
}

function Differences({ name, found }: DifferencesProps) {
  if (found.length === 0) return <p>{name}: no difference.</p>;
  return (
    <div className={cards.scroll}>
      <table className={cards.table}>
        <caption>{name}</caption>
        <thead>
          <tr>
            <th scope="col">{name}: zone</th>
            <th scope="col">Differs from</th>
            <th scope="col">Rules in use</th>
            <th scope="col">It would say</th>
          </tr>
        </thead>
        <tbody>
          {found.map(({ zone, instant, ours, theirs }) => (
            <tr key={zone}>
              <th scope="row">{zone}</th>
              <td data-label="Differs from">
                <TimeWithZone instant={instant} kind="deadline" zone={zone} />
              </td>
              <td data-label="Rules in use">UTC{offsetText(ours)}</td>
              <td data-label="It would say">
                {theirs === null ? "does not know the zone" : `UTC${offsetText(theirs)}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Moved({
  tenant,
  moved,
}: {
  readonly tenant: string;
  readonly moved: readonly MovedDeadline[];
}) {
  if (moved.length === 0) return <p>None. Every approved deadline still means its instant.</p>;
  return (
    <>
      <p>None of these was moved. Its owner decides whether to keep the instant or propose anew.</p>
      <div className={cards.scroll}>
        <table className={cards.table}>
          <caption>Deadlines that newer rules would move</caption>
          <thead>
            <tr>
              <th scope="col">Request</th>
              <th scope="col">Approved instant</th>
              <th scope="col">The words would now mean</th>
            </tr>
          </thead>
          <tbody>
            {moved.map(({ ref, zone, at, wouldBe }) => (
              <tr key={ref}>
                <th scope="row">
                  <Link href={`/t/${tenant}/requests/${ref}`} data-row>
                    {ref}
                  </Link>
                </th>
                <td data-label="Approved instant">
                  <TimeWithZone instant={at} kind="deadline" zone={zone} />
                </td>
                <td data-label="The words would now mean">
                  <TimeWithZone instant={wouldBe} kind="deadline" zone={zone} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Clocks({ clocks }: { readonly clocks: readonly PlatformClock[] }) {
  if (clocks.length === 0) return <p>No connection.</p>;
  return (
    <ul>
      {clocks.map(({ connection, skewMs, measuredAt }) => (
        <li key={connection}>
          {connection}:{" "}
          {skewMs === null || measuredAt === null ? (
            "not measured yet"
          ) : (
            <>
              {skewWords(skewMs)} the database, measured{" "}
              <TimeWithZone instant={measuredAt} kind="moment" form="one" />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The header counts whole seconds, so less than one is no difference. */
function skewWords(skewMs: number): string {
  if (Math.abs(skewMs) < 1000) return "agrees to the second with";
  return `${formatDuration(skewMs)} ${skewMs < 0 ? "behind" : "ahead of"}`;
}
