"use client";

import { Radio, TextInput } from "@mantine/core";
import { useNow } from "@/components/frame/live";
import classes from "./acts.module.css";
import { type UntilChoice, type UntilDraft, untilOptions } from "./until";

interface UntilFieldProps {
  readonly label: string;
  readonly choices: readonly UntilChoice[];
  /** Milliseconds since 1970. */
  readonly latest: number;
  readonly draft: UntilDraft;
  readonly onChange: (draft: UntilDraft) => void;
  readonly error: string | null;
}

/** How long: a few usual lengths, or a moment of one's own. Never longer than the item allows. */
export function UntilField(props: UntilFieldProps) {
  const { label, choices, latest, draft, onChange, error } = props;
  const options = untilOptions(choices, useNow(), latest);
  return (
    <Radio.Group
      label={label}
      value={draft.choice}
      onChange={(choice) => onChange({ ...draft, choice: choice as UntilDraft["choice"] })}
      error={error}
    >
      <div className={classes.until}>
        {options.map(({ value, label: words, open }) => (
          <Radio
            key={value}
            value={value}
            label={open ? words : `${words} (too long for this item)`}
            disabled={!open}
          />
        ))}
        <Radio value="own" label="a moment of my own" />
      </div>
      {draft.choice === "own" ? (
        <TextInput
          type="datetime-local"
          label="Moment (UTC)"
          value={draft.moment}
          onChange={(event) => onChange({ ...draft, moment: event.currentTarget.value })}
        />
      ) : null}
    </Radio.Group>
  );
}
