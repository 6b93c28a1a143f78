"use client";

import { Button, NumberInput } from "@mantine/core";
import { useRef, useState } from "react";
import classes from "@/app/t/[tenant]/controls/controls.module.css";
import { type ApiAnswer, postJson } from "@/components/api-call";
import { ConfirmConsequence } from "@/components/confirm-consequence";
import { Fact } from "@/components/fact";
import { useReadingZone } from "@/components/frame/reading-zone";
import { freshId } from "@/components/fresh-id";
import { personWords } from "@/components/person-words";
import { formatMoment } from "@/lib/domain/deadline";
import type { ResumePreview } from "@/lib/queries/resume-preview";
import { resumeSentence } from "./resume-sentence";

interface ActionsProps {
  readonly tenant: string;
  readonly preview: ResumePreview;
  again(): void;
}

/** The first person's question, or the second person's answer. */
export function ResumeActions({ tenant, preview, again }: ActionsProps) {
  const { asked } = preview;
  if (asked === null) return <Ask {...{ tenant, preview, again }} />;
  return <Answer {...{ tenant, preview, again }} asked={asked} />;
}

function Ask({ tenant, preview, again }: ActionsProps) {
  const { pauseId, seal, ramp } = preview;
  const [perMinute, setPerMinute] = useState<number | string>(ramp.perMinute);
  const { send, busy, error } = useSending(again);
  const ask = () =>
    send((key) =>
      postJson(
        `/api/v1/t/${tenant}/pauses/${pauseId}/resume-requests`,
        { ...seal, ...(typeof perMinute === "number" ? { perMinute } : {}) },
        key,
      ),
    );
  return (
    <div className={classes.page}>
      <NumberInput
        label="Starts per minute at first"
        description={`Doubles every 5 minutes up to the limit of ${ramp.limit} per minute. ${ramp.total} held ones start within about ${ramp.minutes} min.`}
        value={perMinute}
        onChange={setPerMinute}
        min={1}
        max={ramp.limit}
        allowDecimal={false}
        maw={320}
      />
      <Problem error={error} />
      <div className={classes.actions}>
        <Button onClick={ask} loading={busy}>
          Ask to resume
        </Button>
        <span>Another person opens it.</span>
      </div>
    </div>
  );
}

interface AnswerProps extends ActionsProps {
  readonly asked: NonNullable<ResumePreview["asked"]>;
}

function Answer({ tenant, preview, again, asked }: AnswerProps) {
  const { pauseId, scopeWords, seal } = preview;
  const zone = useReadingZone();
  const [opened, setOpened] = useState(false);
  /** What was on screen when the question came up: the answer is about exactly that. */
  const seen = useRef(seal);
  const { send, busy, error } = useSending(() => {
    setOpened(false);
    again();
  });
  const words = `Asked by ${personWords(asked.by)} at ${formatMoment(asked.at, zone)}.`;
  if (asked.by.you) {
    return <Fact>{words} You asked for this. You cannot confirm it yourself.</Fact>;
  }
  const open = () => {
    seen.current = seal;
    setOpened(true);
  };
  const resume = () =>
    send((key) =>
      postJson(`/api/v1/t/${tenant}/pauses/${pauseId}/resumptions`, { ...seen.current }, key),
    );
  return (
    <div className={classes.page}>
      <p className={classes.reset}>{words}</p>
      {asked.sameSeal ? null : <Changed more={asked.more} />}
      <Problem error={opened ? null : error} />
      <div className={classes.actions}>
        <Button onClick={open}>Resume {scopeWords}</Button>
      </div>
      <ConfirmConsequence
        opened={opened}
        onClose={() => setOpened(false)}
        question={`Resume ${scopeWords}?`}
        action={`Resume ${scopeWords}`}
        keep="Keep it paused"
        onConfirm={resume}
        busy={busy}
      >
        <p>{resumeSentence(preview)}</p>
        <p className={classes.hash}>
          {seen.current.count} operations · preview {seen.current.hash.slice(0, 12)}
        </p>
        <Problem error={error} />
      </ConfirmConsequence>
    </div>
  );
}

function Changed({ more }: { readonly more: number }) {
  return (
    <p className={classes.unconfirmed}>
      The preview changed since it was asked{more > 0 ? `: ${more} more` : ""}. What is shown here
      is what would happen now.
    </p>
  );
}

function Problem({ error }: { readonly error: string | null }) {
  if (error === null) return null;
  return (
    <p role="alert" className={classes.unconfirmed}>
      {error}
    </p>
  );
}

/** Sends once per question; what was refused is said beside the button. */
function useSending(done: () => void) {
  const key = useRef(freshId());
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const send = (post: (key: string) => Promise<ApiAnswer<unknown>>) => {
    setBusy(true);
    setError(null);
    void post(key.current).then((answer) => {
      setBusy(false);
      key.current = freshId();
      if (answer.kind === "ok") return done();
      setError(
        answer.kind === "lost"
          ? "We did not hear back. This page shows in a moment whether it was recorded."
          : answer.problem.detail,
      );
    });
  };
  return { send, busy, error };
}
