"use client";

import { Button, TextInput } from "@mantine/core";
import { useRouter } from "next/navigation";
import { type FormEvent, useRef, useState } from "react";
import classes from "@/app/t/[tenant]/privacy/privacy.module.css";
import { postJson } from "@/components/api-call";
import { freshId } from "@/components/fresh-id";
import panels from "@/components/panel.module.css";
import { ReasonField } from "@/components/reason-field";
import { reasonProblem } from "@/lib/domain/reason-text";

/** Asks for one person's data to be destroyed; nothing happens before another person confirms. */
export function AskErasure({ tenant }: { readonly tenant: string }) {
  const router = useRouter();
  const [subject, setSubject] = useState("");
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<Problem>({});
  const [busy, setBusy] = useState(false);
  // One key per form, so that a second press is the same request (API-1).
  const key = useRef<string | null>(null);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const found = problemOf(subject, reason);
    setProblem(found);
    if (found.subject || found.reason) return;
    key.current ??= freshId();
    setBusy(true);
    const url = `/api/v1/t/${tenant}/privacy/erasures`;
    const body = { subjectRef: subject.trim(), reason };
    const answer = await postJson<{ id: string }>(url, body, key.current);
    setBusy(false);
    if (answer.kind === "refused") {
      key.current = null;
      return setProblem({ sent: answer.problem.detail });
    }
    if (answer.kind === "lost") return setProblem({ sent: LOST });
    router.push(`/t/${tenant}/privacy/erasures/${answer.data.id}`);
  };
  return (
    <section className={panels.panel} aria-labelledby="ask-erasure">
      <h2 id="ask-erasure" className={panels.heading}>
        Ask for an erasure
      </h2>
      <form className={classes.form} onSubmit={(event) => void send(event)} noValidate>
        <TextInput
          label="Subject"
          description="The reference that stands at the signer of a request, as in s_41."
          value={subject}
          autoComplete="off"
          spellCheck={false}
          required
          error={problem.subject}
          onChange={(event) => setSubject(event.currentTarget.value)}
        />
        <ReasonField value={reason} onChange={setReason} error={problem.reason ?? null} />
        <p role="alert" className={classes.said}>
          {problem.sent}
        </p>
        <div>
          <Button type="submit" loading={busy}>
            Ask for erasure{subject.trim() === "" ? "" : ` of ${subject.trim().slice(0, 12)}`}
          </Button>
        </div>
      </form>
    </section>
  );
}

interface Problem {
  readonly subject?: string;
  readonly reason?: string | null;
  readonly sent?: string;
}

function problemOf(subject: string, reason: string): Problem {
  const form = /^s_\w+$/.test(subject.trim());
  return {
    ...(form ? {} : { subject: "Enter a subject reference, as in s_41." }),
    reason: reasonProblem(reason, { min: 1 }),
  };
}

const LOST = "We did not hear back. Send it again; it is asked once.";
