"use client";

import { Button } from "@mantine/core";
import { useState } from "react";
import { postJson } from "@/components/api-call";
import cards from "@/components/card-table.module.css";
import panels from "@/components/panel.module.css";
import { StateBadge } from "@/components/state-badge";
import { TimeAgo } from "@/components/time-ago";
import { teamWords } from "@/lib/domain/notice-text";
import type { EndpointFacts } from "@/lib/queries/notice-settings-page";
import { EndpointForm } from "./endpoint-form";
import classes from "./notifications.module.css";

interface EndpointTableProps {
  /** Of the list in the API. */
  readonly url: string;
  readonly endpoints: readonly EndpointFacts[];
  readonly mayAct: boolean;
  done(): void;
}

const KINDS = { chat: "Chat", webhook: "Webhook, signed" } as const;

const LOST = "We did not hear back. What is shown is the present state.";

/** Every endpoint with its state and last answer, and what an admin can do to it. */
export function EndpointTable({ url, endpoints, mayAct, done }: EndpointTableProps) {
  const [said, setSaid] = useState("");
  const [changing, setChanging] = useState<string | null>(null);
  const act = async (path: string, body: unknown, words: string) => {
    const answer = await postJson(`${url}/${path}`, body);
    const refused = answer.kind === "refused" ? answer.problem.detail : LOST;
    setSaid(answer.kind === "ok" ? words : refused);
    done();
  };
  const changed = endpoints.find(({ id }) => id === changing);
  return (
    <>
      <div className={cards.scroll}>
        <table className={cards.table}>
          <caption>Endpoints</caption>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">State</th>
              <th scope="col">Kind</th>
              <th scope="col">Host</th>
              <th scope="col">Told of what waits for</th>
              <th scope="col">Last try</th>
              {mayAct ? <th scope="col">Actions</th> : null}
            </tr>
          </thead>
          <tbody>
            {endpoints.map((one) => (
              <tr key={one.id}>
                <th scope="row">{one.name}</th>
                <td data-label="State">
                  <StateBadge family="subscriber" code={one.state} />
                </td>
                <td data-label="Kind">{KINDS[one.kind]}</td>
                <td data-label="Host">
                  <span className={classes.mono}>{one.host}</span>
                </td>
                <td data-label="Told of what waits for">
                  {one.teams.length === 0 ? "every team" : one.teams.map(teamWords).join(", ")}
                </td>
                <td data-label="Last try">
                  <LastTry endpoint={one} />
                </td>
                {mayAct ? (
                  <td data-label="Actions">
                    <Actions endpoint={one} act={act} change={() => setChanging(one.id)} />
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <span role="status">{said}</span>
      {changed ? (
        <section className={panels.panel} aria-labelledby="change-endpoint">
          <h2 className={panels.heading} id="change-endpoint">
            Change {changed.name}
          </h2>
          <EndpointForm
            key={changed.id}
            url={`${url}/${changed.id}`}
            present={changed}
            done={() => {
              setChanging(null);
              setSaid("Saved.");
              done();
            }}
            cancel={() => setChanging(null)}
          />
        </section>
      ) : null}
    </>
  );
}

function LastTry({ endpoint }: { readonly endpoint: EndpointFacts }) {
  const { lastAt, lastWords } = endpoint;
  if (lastAt === null) return "never";
  return (
    <>
      {lastWords}, <TimeAgo instant={lastAt} />
    </>
  );
}

interface ActionsProps {
  readonly endpoint: EndpointFacts;
  act(path: string, body: unknown, words: string): Promise<void>;
  change(): void;
}

function Actions({ endpoint: { id, name, state }, act, change }: ActionsProps) {
  const button = { size: "xs", variant: "default" } as const;
  return (
    <div className={classes.actions}>
      {state === "active" ? (
        <>
          <Button
            {...button}
            aria-label={`Send a test to ${name}`}
            onClick={() => void act(`${id}/tests`, {}, `A test is on its way to ${name}.`)}
          >
            Send a test
          </Button>
          <Button
            {...button}
            aria-label={`Stop ${name}`}
            onClick={() =>
              void act(`${id}/switches`, { state: "stopped" }, `${name} is told nothing now.`)
            }
          >
            Stop
          </Button>
        </>
      ) : (
        <Button
          {...button}
          aria-label={`Start ${name}`}
          onClick={() => void act(`${id}/switches`, { state: "active" }, `${name} is told again.`)}
        >
          Start
        </Button>
      )}
      <Button {...button} aria-label={`Change ${name}`} onClick={change}>
        Change
      </Button>
    </div>
  );
}
