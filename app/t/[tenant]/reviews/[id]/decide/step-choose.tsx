"use client";

import { Radio } from "@mantine/core";
import { useNow } from "@/components/frame/live";
import { formatDuration, formatMoment } from "@/lib/domain/deadline";
import type { DecisionCode, DecisionOption } from "@/lib/domain/decision";
import type { DecisionFamily } from "@/lib/domain/decision-family";
import { decisionWord } from "@/lib/domain/decision-words";
import { REFUSALS } from "@/lib/domain/refusal-words";
import { filled } from "@/lib/domain/sentence";
import { epochOf } from "@/lib/domain/zone";
import type { LastRead } from "@/lib/queries/decision-options";
import classes from "./decide.module.css";

interface StepChooseProps {
  readonly options: readonly DecisionOption[];
  readonly family: DecisionFamily;
  /** What the newest stored read says of each option; it decides nothing. */
  readonly lastRead: Readonly<Partial<Record<DecisionCode, LastRead>>>;
  readonly value: DecisionCode | null;
  readonly onChange: (code: DecisionCode) => void;
  readonly error: string | null;
}

/** Every option that this item knows; a closed one says why, and from when on it opens (RV-3). */
export function StepChoose(props: StepChooseProps) {
  const { options, family, lastRead, value, onChange, error } = props;
  return (
    <Radio.Group
      id="decision-option"
      label="What is to be recorded?"
      value={value ?? ""}
      onChange={(code) => onChange(code as DecisionCode)}
      error={error}
    >
      <div className={classes.options}>
        {options.map((option, place) => {
          const { label, needs } = decisionWord(option.code, family);
          return (
            <Radio
              key={option.code}
              value={option.code}
              disabled={!option.open}
              label={`${place + 1}  ${label}`}
              description={
                <>
                  <span className={classes.needs}>{capital(needs)}.</span>{" "}
                  {option.open ? (
                    <Beside option={option} read={lastRead[option.code] ?? null} />
                  ) : (
                    <Closed option={option} />
                  )}
                </>
              }
            />
          );
        })}
      </div>
    </Radio.Group>
  );
}

interface BesideProps {
  readonly option: DecisionOption;
  readonly read: LastRead;
}

function Beside({ option, read }: BesideProps) {
  if (option.secondPerson) {
    return <span>No read can prove it here: a second person has to confirm.</span>;
  }
  return read === null ? null : <span>Last read: {read}.</span>;
}

/** "Closed: …", counting down where time alone opens it (RC-8). */
function Closed({ option }: { readonly option: DecisionOption }) {
  const now = useNow();
  const { closedBecause, opensAt } = option;
  const why =
    closedBecause === null
      ? "not possible now."
      : filled(REFUSALS[closedBecause].sentence, {
          moment: opensAt === null ? null : formatMoment(opensAt),
        });
  const left = opensAt === null ? 0 : epochOf(opensAt) - epochOf(now);
  return (
    <span className={classes.closed}>
      Closed: {why}
      {left > 0 ? ` Opens in ${formatDuration(left)}.` : ""}
    </span>
  );
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
