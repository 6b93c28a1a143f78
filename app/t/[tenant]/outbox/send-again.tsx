"use client";

import { Button } from "@mantine/core";
import { useRef, useState } from "react";
import { postJson } from "@/components/api-call";
import { ConfirmConsequence } from "@/components/confirm-consequence";
import { freshId } from "@/components/fresh-id";
import classes from "./outbox.module.css";

interface SendAgainProps {
  readonly tenant: string;
  readonly ids: readonly string[];
  clear(): void;
  done(): void;
}

/** What can be done with the selected deliveries. */
export function SendAgain({ tenant, ids, clear, done }: SendAgainProps) {
  const [opened, setOpened] = useState(false);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<string | null>(null);
  const key = useRef("");
  const noun = ids.length === 1 ? "delivery" : "deliveries";
  const send = async () => {
    setBusy(true);
    const url = `/api/v1/t/${tenant}/outbox/replays`;
    const answer = await postJson<{ replayed: number; left: number }>(url, { ids }, key.current);
    setBusy(false);
    setOpened(false);
    setSaid(sentenceOf(answer));
    done();
  };
  return (
    <div className={classes.selected}>
      <span>{ids.length} selected on this page</span>
      <Button
        size="xs"
        onClick={() => {
          key.current = freshId();
          setOpened(true);
        }}
      >
        Send {ids.length} again
      </Button>
      <Button size="xs" variant="default" onClick={clear}>
        Clear selection
      </Button>
      <span role="status">{said}</span>
      <ConfirmConsequence
        opened={opened}
        onClose={() => setOpened(false)}
        question={`Send ${ids.length} ${noun} again?`}
        action="Send again"
        keep="Leave them"
        busy={busy}
        onConfirm={() => void send()}
      >
        <p>Same message ids. The receivers may see them twice.</p>
      </ConfirmConsequence>
    </div>
  );
}

function sentenceOf(
  answer: Awaited<ReturnType<typeof postJson<{ replayed: number; left: number }>>>,
): string {
  switch (answer.kind) {
    case "ok": {
      const { replayed, left } = answer.data;
      return `${replayed} go out again.${left === 0 ? "" : ` ${left} were left: held or under way.`}`;
    }
    case "refused":
      return answer.problem.detail;
    case "lost":
      return "We did not hear back. The states below are the present ones.";
  }
}
