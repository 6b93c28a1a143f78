"use client";

import { Button } from "@mantine/core";
import { useState } from "react";
import { AskedAct } from "@/app/t/[tenant]/outbox/asked-act";
import classes from "@/app/t/[tenant]/outbox/outbox.module.css";
import type { MadeSecret } from "@/app/t/[tenant]/outbox/subscribers/subscriber-form";
import type { SubscriberFacts } from "@/lib/queries/subscribers-page";

interface SubscriberActionsProps {
  /** Of the subscriber in the API. */
  readonly url: string;
  readonly subscriber: SubscriberFacts;
  change(): void;
  secretMade(secret: MadeSecret): void;
  done(): void;
}

const LOST = "We did not hear back. What is shown below is the present state.";

/** Everything that can be done to a subscriber. */
export function SubscriberActions(props: SubscriberActionsProps) {
  const { url, subscriber, change, secretMade, done } = props;
  const [said, setSaid] = useState<string | null>(null);
  const { name, state, waiting } = subscriber;
  const heard = (words: string) => {
    setSaid(words);
    done();
  };
  return (
    <div className={classes.actions}>
      {state === "active" ? (
        <AskedAct
          button="Send test event"
          question={`Send a test event to ${name}?`}
          consequence="It takes the way of all events: signed, logged, tried again."
          keep="Leave it"
          url={`${url}/tests`}
          done={(answer) => heard(answer ? "A test event is on its way." : LOST)}
        />
      ) : (
        <AskedAct
          button="Start deliveries"
          question={`Start deliveries to ${name}?`}
          consequence={`${waiting} wait and go out now, in their order.`}
          keep="Leave them stopped"
          url={`${url}/starts`}
          done={(answer) => heard(answer ? "Deliveries are started." : LOST)}
        />
      )}
      <Button variant="default" onClick={change}>
        Change
      </Button>
      <SecretActs url={url} subscriber={subscriber} secretMade={secretMade} heard={heard} />
      {state === "active" ? (
        <AskedAct
          button="Stop deliveries"
          question={`Stop deliveries to ${name}?`}
          consequence={`${waiting} wait and are kept.`}
          keep="Let them go on"
          danger
          asksReason
          url={`${url}/stops`}
          done={(answer) => heard(answer ? "Deliveries are stopped." : LOST)}
        />
      ) : null}
      <span role="status">{said}</span>
    </div>
  );
}

interface SecretActsProps
  extends Pick<SubscriberActionsProps, "url" | "subscriber" | "secretMade"> {
  heard(words: string): void;
}

function SecretActs({ url, subscriber, secretMade, heard }: SecretActsProps) {
  const { name, previous, secretId } = subscriber;
  return (
    <>
      <AskedAct<MadeSecret>
        button="Make new secret"
        question={`Make a new signing secret for ${name}?`}
        consequence={`${secretId} signs along for a day, so that the receiver can change over.${previous === null ? "" : ` ${previous.id} ends now.`}`}
        keep="Keep the secret"
        url={`${url}/secrets`}
        body={{ secretId }}
        done={(answer) => {
          if (answer) secretMade(answer);
          heard(answer ? "The new secret signs from now on." : LOST);
        }}
      />
      {previous === null ? null : (
        <AskedAct
          button="End old secret"
          question={`End secret ${previous.id} now?`}
          consequence="A receiver that still uses it refuses what we send."
          keep="Let it sign along"
          danger
          url={`${url}/secret-ends`}
          done={(answer) => heard(answer ? "Only the new secret signs now." : LOST)}
        />
      )}
    </>
  );
}
