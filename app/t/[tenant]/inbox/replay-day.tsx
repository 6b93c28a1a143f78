"use client";

import { Button, Group, Modal, TextInput } from "@mantine/core";
import { useState } from "react";
import { getJson } from "@/components/api-call";
import { ConfirmConsequence } from "@/components/confirm-consequence";
import { useNow } from "@/components/frame/live";
import { grouped } from "@/components/state-strip";
import { replayTime } from "@/lib/domain/inbox-words";
import classes from "./inbox.module.css";
import { ReplayProgress } from "./replay-progress";
import { useReplay } from "./use-replay";

interface Counted {
  readonly day: string;
  readonly from: string;
  readonly to: string;
  readonly count: number;
}

/** Replays everything of one day (UTC): counted first, then confirmed by typing the count. */
export function ReplayDay({ tenant }: { readonly tenant: string }) {
  const replay = useReplay(tenant);
  const [choosing, setChoosing] = useState(false);
  const [counted, setCounted] = useState<Counted | null>(null);
  const { run } = replay;
  const start = () => {
    if (counted === null) return;
    setCounted(null);
    void replay.stretch(counted.from, counted.to, counted.count);
  };
  if (run !== null) return <ReplayProgress run={run} clear={replay.clear} />;
  const events = counted === null ? "" : `${grouped(counted.count)} events`;
  return (
    <>
      <Button variant="default" onClick={() => setChoosing(true)}>
        Replay a day
      </Button>
      <ChooseDay
        tenant={tenant}
        opened={choosing}
        close={() => setChoosing(false)}
        done={(found) => {
          setChoosing(false);
          setCounted(found);
        }}
      />
      <ConfirmConsequence
        opened={counted !== null}
        onClose={() => setCounted(null)}
        question={`Replay ${events} of ${counted?.day ?? ""} (UTC)?`}
        action={`Replay ${events}`}
        keep="Leave them"
        typed={String(counted?.count ?? "")}
        onConfirm={start}
      >
        <p>
          Already applied ones change nothing. Takes {replayTime(counted?.count ?? 0)}. Each replay
          is recorded with your account.
        </p>
      </ConfirmConsequence>
    </>
  );
}

interface ChooseDayProps {
  readonly tenant: string;
  readonly opened: boolean;
  close(): void;
  done(counted: Counted): void;
}

function ChooseDay({ tenant, opened, close, done }: ChooseDayProps) {
  const now = useNow();
  const [day, setDay] = useState("");
  const [said, setSaid] = useState<string | null>(null);
  const count = async () => {
    const stretch = stretchOf(day, now);
    if (stretch === null) return setSaid("Give a day that has begun, as in 2026-11-29.");
    const query = new URLSearchParams({ ...stretch }).toString();
    const answer = await getJson<{ count: number }>(`/api/v1/t/${tenant}/inbox/replays?${query}`);
    if (answer.kind === "lost") return setSaid("No answer came. Nothing was replayed.");
    if (answer.kind === "refused") return setSaid(answer.problem.detail);
    if (answer.data.count === 0) return setSaid(`Nothing was received on ${day} (UTC).`);
    setSaid(null);
    done({ day, ...stretch, count: answer.data.count });
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title="Replay a day"
      closeButtonProps={{ "aria-label": "Close without changing anything" }}
      centered
      transitionProps={{ duration: 0 }}
    >
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          void count();
        }}
      >
        <TextInput
          type="date"
          label="Day of receipt (UTC)"
          description="Events are counted before anything happens."
          max={now.slice(0, 10)}
          value={day}
          error={said}
          data-autofocus
          onChange={(event) => setDay(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Leave it
          </Button>
          <Button type="submit">Count events</Button>
        </Group>
      </form>
    </Modal>
  );
}

const DAY_MS = 86_400_000;

/** The whole day, or what has passed of today, so that what is counted is what is replayed. */
function stretchOf(day: string, now: string): { from: string; to: string } | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return null;
  const from = Date.parse(`${day}T00:00:00.000Z`);
  const end = Math.min(from + DAY_MS, Date.parse(now));
  if (Number.isNaN(from) || end <= from) return null;
  return { from: new Date(from).toISOString(), to: new Date(end).toISOString() };
}
