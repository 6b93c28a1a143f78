import Link from "next/link";
import cards from "@/components/card-table.module.css";
import panel from "@/components/panel.module.css";
import { StateBadge } from "@/components/state-badge";
import { formatDuration } from "@/lib/domain/deadline";
import type { WorkerView } from "@/lib/queries/system-page";
import classes from "./system.module.css";

interface WorkersPanelProps {
  readonly tenant: string;
  readonly workers: readonly WorkerView[];
}

/** The worker processes of the last hour, those that still matter first. */
export function WorkersPanel({ tenant, workers }: WorkersPanelProps) {
  const silent = workers.filter(({ state }) => state === "late" || state === "dead");
  return (
    <section className={panel.panel} aria-label="Workers">
      <h2 className={panel.heading}>
        Workers
        <code className={classes.metric}>deadline_ledger_worker_heartbeat_age_seconds</code>
      </h2>
      {workers.length === 0 ? (
        <p className={classes.none}>
          No worker has reported yet. Start one with <code>npm run worker</code>.
        </p>
      ) : (
        <WorkersTable tenant={tenant} workers={workers} />
      )}
      {silent.map(({ id, name, silentMs }) => (
        <p key={id} className={classes.warning}>
          Worker {name} has sent no heartbeat for {formatDuration(silentMs)}. Its work is taken over
          when the lease ends; calls under way become Unknown.{" "}
          <Link href={`/t/${tenant}/runbooks/LedgerWorkerSilent`}>What to do</Link>
        </p>
      ))}
    </section>
  );
}

function WorkersTable({ tenant, workers }: WorkersPanelProps) {
  const work = `/t/${tenant}/operations?state=claimed,submitting,reconciling`;
  return (
    <div className={cards.scroll}>
      <table className={cards.table}>
        <caption>Workers</caption>
        <thead>
          <tr>
            <th scope="col">Worker</th>
            <th scope="col">Role</th>
            <th scope="col">State</th>
            <th scope="col">Heartbeat</th>
            <th scope="col" className={cards.number}>
              In hand
            </th>
            <th scope="col" className={cards.number}>
              Lag
            </th>
            <th scope="col" className={cards.number}>
              Claim latency p95
            </th>
            <th scope="col" className={cards.number}>
              Conflicts
            </th>
            <th scope="col">Build</th>
          </tr>
        </thead>
        <tbody>
          {workers.map((worker) => (
            <tr key={worker.id}>
              <th scope="row">{worker.name}</th>
              <td data-label="Role">all work</td>
              <td data-label="State">
                <WorkerState worker={worker} />
              </td>
              <td data-label="Heartbeat">
                <time dateTime={worker.heartbeatAt}>{formatDuration(worker.silentMs)} ago</time>
              </td>
              <td data-label="In hand" className={cards.number}>
                <Link data-row href={work}>
                  {worker.inHand}
                </Link>
              </td>
              <td data-label="Lag" className={cards.number}>
                {milliseconds(worker.lagMs)}
              </td>
              <td data-label="Claim latency p95" className={cards.number}>
                {milliseconds(worker.claimP95Ms)}
              </td>
              <td data-label="Conflicts" className={cards.number}>
                {worker.conflicts}
              </td>
              <td data-label="Build" className={panel.mono}>
                {worker.build}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function WorkerState({ worker: { state, silentMs } }: { readonly worker: WorkerView }) {
  if (state === "stopped") return <span>Stopped</span>;
  return (
    <StateBadge family="worker" code={state} values={{ n: String(Math.round(silentMs / 1000)) }} />
  );
}

function milliseconds(ms: number | null): string {
  if (ms === null) return "not yet";
  return ms < 1000 ? `${Math.round(ms)} ms` : formatDuration(ms);
}
