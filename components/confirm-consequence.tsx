"use client";

import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";

interface ConfirmConsequenceProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** A question with the name or number that matters: "Withdraw this proposal?" */
  readonly question: string;
  /** What happens, what does not, and whether it can be undone. */
  readonly children: ReactNode;
  /** Verb and object: "Withdraw proposal". */
  readonly action: string;
  readonly onConfirm: () => void;
  readonly busy?: boolean;
  /** Text that has to be typed before the button works. */
  readonly typed?: string;
  /** Words of the way out: "Keep the proposal". */
  readonly keep?: string;
  readonly danger?: boolean;
}

/**
 * Asks before something that cannot be taken back by a click. Focus starts on the safe answer and goes back to the
 * button that opened the question.
 */
export function ConfirmConsequence(props: ConfirmConsequenceProps) {
  const { opened, onClose, question, children, keep = "Keep it as it is" } = props;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={question}
      closeButtonProps={{ "aria-label": "Close without changing anything" }}
      centered
      transitionProps={{ duration: 0 }}
    >
      <Stack gap="sm">
        <div>{children}</div>
        <Answer key={opened ? "open" : "closed"} {...props} keep={keep} />
      </Stack>
    </Modal>
  );
}

function Answer(props: ConfirmConsequenceProps) {
  const { onClose, onConfirm, action, busy = false, typed, keep, danger = false } = props;
  const [text, setText] = useState("");
  const ready = typed === undefined || text.trim() === typed;
  return (
    <>
      {typed === undefined ? null : (
        <TextInput
          label={`Type ${typed} to go on`}
          value={text}
          autoComplete="off"
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          {keep}
        </Button>
        <Button
          {...(danger ? { color: "red.8" } : {})}
          disabled={!ready}
          loading={busy}
          onClick={onConfirm}
        >
          {action}
        </Button>
      </Group>
    </>
  );
}
