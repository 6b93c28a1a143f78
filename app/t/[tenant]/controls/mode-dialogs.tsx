"use client";

import { Radio, Stack } from "@mantine/core";
import Link from "next/link";
import { useRef, useState } from "react";
import { type ApiAnswer, postJson } from "@/components/api-call";
import { ConfirmConsequence } from "@/components/confirm-consequence";
import { freshId } from "@/components/fresh-id";
import { ReasonField } from "@/components/reason-field";
import { kindPlural } from "@/lib/domain/kind-plural";
import { reasonProblem } from "@/lib/domain/reason-text";
import { MODE_WORDS, type Mode } from "@/lib/domain/system-words";
import type { ModeView } from "@/lib/queries/controls-page";
import classes from "./controls.module.css";

interface DialogProps {
  readonly tenant: string;
  readonly mode: ModeView;
  done(): void;
  close(): void;
}

const MODES: readonly Mode[] = ["off", "shadow", "live"];

/** Chooses another mode and says why. Live is only asked for here. */
export function ModeDialog({ tenant, mode, done, close }: DialogProps) {
  const { kind, mode: from } = mode;
  const [to, setTo] = useState<Mode>(from === "shadow" ? "live" : "shadow");
  const [reason, setReason] = useState("");
  const { send, busy, error, setError } = useSending(done);
  const confirm = () => {
    const problem = reasonProblem(reason, { min: 1 });
    setError(problem);
    if (problem !== null) return;
    send((key) => postJson(`/api/v1/t/${tenant}/modes/${kind}/changes`, { mode: to, reason }, key));
  };
  return (
    <ConfirmConsequence
      opened
      onClose={close}
      question={`Change the mode of ${kind}?`}
      action={to === "live" ? `Ask to switch ${kind} to live` : `Switch ${kind} to ${to}`}
      keep={`Keep it ${MODE_WORDS[from].label.toLowerCase()}`}
      onConfirm={confirm}
      busy={busy}
    >
      <Stack gap="sm">
        <Radio.Group label="New mode" value={to} onChange={(value) => setTo(value as Mode)}>
          <Stack gap={6} mt={4}>
            {MODES.filter((one) => one !== from).map((one) => (
              <Radio
                key={one}
                value={one}
                label={MODE_WORDS[one].label}
                description={MODE_WORDS[one].sentence}
              />
            ))}
          </Stack>
        </Radio.Group>
        {to === "live" ? <p className={classes.reset}>Another person has to confirm it.</p> : null}
        <ReasonField value={reason} onChange={setReason} error={error} limits={{ min: 1 }} />
      </Stack>
    </ConfirmConsequence>
  );
}

/** The second person's answer: what shadow mode found stands beside the question. */
export function ConfirmLiveDialog(props: DialogProps & { readonly askId: string }) {
  const { tenant, mode, askId, done, close } = props;
  const { kind, compared } = mode;
  const { send, busy, error } = useSending(done);
  return (
    <ConfirmConsequence
      opened
      onClose={close}
      question={`Let ${kindPlural(kind, 2)} reach the platform?`}
      action={`Switch ${kind} to live`}
      keep={`Keep it ${MODE_WORDS[mode.mode].label.toLowerCase()}`}
      typed={kind}
      busy={busy}
      danger
      onConfirm={() =>
        send((key) =>
          postJson(`/api/v1/t/${tenant}/modes/${kind}/live-confirmations`, { askId }, key),
        )
      }
    >
      <p>
        Shadow compared {compared.all}: {compared.same} same, {compared.different} different (
        <Link href={`/t/${tenant}/controls/shadow?kind=${kind}`}>look</Link>).
      </p>
      {error === null ? null : (
        <p role="alert" className={classes.unconfirmed}>
          {error}
        </p>
      )}
    </ConfirmConsequence>
  );
}

/** Sends once per opened dialog; what was refused is said in it. */
function useSending(done: () => void) {
  const key = useRef(freshId());
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const send = (post: (key: string) => Promise<ApiAnswer<unknown>>) => {
    setBusy(true);
    void post(key.current).then((answer) => {
      setBusy(false);
      if (answer.kind === "ok") return done();
      if (answer.kind === "lost") {
        setError("We did not hear back. The table shows what holds now.");
        return;
      }
      key.current = freshId();
      setError(answer.problem.fields?.[0]?.sentence ?? answer.problem.detail);
    });
  };
  return { send, busy, error, setError };
}
