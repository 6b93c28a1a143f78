"use client";

import { Button } from "@mantine/core";
import { PACK_STATES, sizeWords } from "@/app/t/[tenant]/history/packs/pack-words";
import { useLive } from "@/components/frame/live";
import { Hash } from "@/components/hash";
import { ListError } from "@/components/list-states";
import panel from "@/components/panel.module.css";
import { TimeWithZone } from "@/components/time-with-zone";
import type { PackRow } from "@/lib/queries/packs-page";

interface PackViewProps {
  readonly tenant: string;
  readonly initial: PackRow;
}

/** How far a pack is, and how to take it away and check it on a machine that has never seen this console. */
export function PackView({ tenant, initial }: PackViewProps) {
  const url = `/api/v1/t/${tenant}/history/packs/${initial.id}`;
  const live = useLive<PackRow>([tenant, "pack", initial.id], url, initial);
  const { about, askedAt, state, operations, entries, bytes, sha256, finishedAt } = live.data;
  return (
    <>
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          The pack could not be loaded. Making it goes on.
        </ListError>
      ) : null}
      <section className={panel.panel} aria-labelledby="pack">
        <h2 id="pack" className={panel.heading}>
          {PACK_STATES[state]}
        </h2>
        <dl className={panel.pairs} aria-live="polite">
          <dt>Scope</dt>
          <dd>{about}</dd>
          <dt>Asked</dt>
          <dd>
            <TimeWithZone instant={askedAt} kind="moment" form="one" />
          </dd>
          <dt>Holds</dt>
          <dd>
            {operations} operations, {entries} entries, {sizeWords(bytes)}
          </dd>
          {finishedAt === null ? null : (
            <>
              <dt>Ended</dt>
              <dd>
                <TimeWithZone instant={finishedAt} kind="moment" form="one" />
              </dd>
            </>
          )}
          {sha256 === null ? null : (
            <>
              <dt>Hash</dt>
              <dd>
                <Hash value={sha256} kind="file" />
              </dd>
            </>
          )}
        </dl>
        {state === "ready" ? (
          <Button component="a" href={`${url}/file`} download mt="sm">
            Download the pack
          </Button>
        ) : null}
      </section>
      <section className={panel.panel} aria-labelledby="offline">
        <h2 id="offline" className={panel.heading}>
          Check it anywhere
        </h2>
        <p>
          The file and Node 20 are enough. Take <code className={panel.mono}>verify.mjs</code> out
          of the pack into an empty folder beside it and run{" "}
          <code className={panel.mono}>node verify.mjs pack-{initial.id.slice(0, 8)}.zip</code> with
          the name of the file. It says in words what fits and what does not, and ends with 1 if
          anything differs.
        </p>
      </section>
    </>
  );
}
