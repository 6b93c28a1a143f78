"use client";

import { Button } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { postJson } from "@/components/api-call";
import { ConfirmConsequence } from "@/components/confirm-consequence";
import { freshId } from "@/components/fresh-id";
import { erasureConsequence } from "@/lib/domain/erasure-words";
import type { ErasureView } from "@/lib/queries/erasure-page";

interface EraseButtonProps {
  readonly view: ErasureView;
  /** Of the erasure in the API. */
  readonly url: string;
  heard(words: string): void;
}

/** Confirms an erasure once its reference was typed. */
export function EraseButton({ view, url, heard }: EraseButtonProps) {
  const router = useRouter();
  const { subjectRef, operations } = view;
  const [opened, setOpened] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const key = useRef("");
  const open = () => {
    key.current = freshId();
    setError(null);
    setOpened(true);
  };
  const confirm = async () => {
    setBusy(true);
    const answer = await postJson(`${url}/confirmations`, { typed: subjectRef }, key.current);
    setBusy(false);
    if (answer.kind === "refused") return setError(answer.problem.detail);
    setOpened(false);
    if (answer.kind === "lost") heard("We did not hear back. What is shown is the present state.");
    router.refresh();
  };
  return (
    <>
      <Button color="red.8" onClick={open}>
        Erase {subjectRef}
      </Button>
      <ConfirmConsequence
        opened={opened}
        onClose={() => setOpened(false)}
        question={`Erase the contact details of ${subjectRef}?`}
        action={`Erase ${subjectRef}`}
        keep="Keep the data"
        typed={subjectRef}
        busy={busy}
        danger
        onConfirm={() => void confirm()}
      >
        <p>{erasureConsequence(operations.length)}</p>
        <p>What may have reached the platform is not recalled; a person gets each of them.</p>
        <p role="alert">{error}</p>
      </ConfirmConsequence>
    </>
  );
}
