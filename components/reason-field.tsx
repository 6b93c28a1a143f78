"use client";

import { Button, Group, Textarea } from "@mantine/core";
import { REASON_LENGTH_MAX, type ReasonLimits } from "@/lib/domain/reason-text";

interface ReasonFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly label?: string;
  readonly limits?: ReasonLimits;
  /** What is wrong, from `reasonProblem`; shown once the form was sent. */
  readonly error?: string | null;
  /** Ready answers of a policy; choosing one fills the field. */
  readonly suggestions?: readonly string[];
  readonly id?: string;
}

/** Free text that becomes part of the history, with a word about what must not stand in it. */
export function ReasonField(props: ReasonFieldProps) {
  const { value, onChange, label = "Reason", limits, error = null, suggestions = [], id } = props;
  const max = limits?.max ?? REASON_LENGTH_MAX;
  return (
    <div>
      <Textarea
        {...(id === undefined ? {} : { id })}
        label={label}
        description={`Becomes part of the history. Leave out names, addresses, phone numbers and links. ${[...value].length} of ${max}.`}
        required
        autosize
        minRows={2}
        maxRows={8}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {suggestions.length === 0 ? null : (
        <Group gap={6} mt={6}>
          {suggestions.map((text) => (
            <Button key={text} size="compact-xs" variant="default" onClick={() => onChange(text)}>
              {text}
            </Button>
          ))}
        </Group>
      )}
    </div>
  );
}
