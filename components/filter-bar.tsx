"use client";

import { Button, CloseButton, NativeSelect, TextInput } from "@mantine/core";
import { type RefObject, useState } from "react";
import { parseQualifiers } from "@/lib/domain/qualifier";
import classes from "./filter-bar.module.css";

export interface FilterField {
  readonly name: string;
  readonly label: string;
  /** Offered values; without them the field is reached through the box and shown as a chip. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  /** Several values at once, comma-separated in the URL. */
  readonly many?: boolean;
}

/** Values by field name, as they stand in the URL; a missing one is no filter. */
export type FilterValues = Readonly<Record<string, readonly string[]>>;

interface FilterBarProps {
  readonly fields: readonly FilterField[];
  readonly values: FilterValues;
  /** A patch of the values; an empty list takes the filter away. */
  readonly onChange: (patch: FilterValues) => void;
  readonly onClear: () => void;
  /** So that `/` can put the focus here. */
  readonly boxRef?: RefObject<HTMLInputElement | null>;
  /** An example for the box: `state:needs_reconcile age:>1h`. */
  readonly example: string;
}

/** Filters as selects, a box for `name:value`, and one chip for each that is on. */
export function FilterBar({ fields, values, onChange, onClear, boxRef, example }: FilterBarProps) {
  const single = fields.filter(({ options, many }) => options && !many);
  return (
    <search className={classes.bar}>
      <div className={classes.controls}>
        <QualifierBox
          names={fields.map(({ name }) => name)}
          example={example}
          onEnter={onChange}
          {...(boxRef ? { boxRef } : {})}
        />
        {single.map(({ name, label, options = [] }) => (
          <NativeSelect
            key={name}
            label={label}
            value={values[name]?.[0] ?? ""}
            data={[{ value: "", label: "any" }, ...options]}
            onChange={(event) => {
              const value = event.currentTarget.value;
              onChange({ [name]: value === "" ? [] : [value] });
            }}
          />
        ))}
      </div>
      <Chips fields={fields} values={values} onChange={onChange} onClear={onClear} />
    </search>
  );
}

interface BoxProps {
  readonly names: readonly string[];
  readonly example: string;
  readonly onEnter: (patch: FilterValues) => void;
  readonly boxRef?: RefObject<HTMLInputElement | null>;
}

function QualifierBox({ names, example, onEnter, boxRef }: BoxProps) {
  const [text, setText] = useState("");
  const apply = () => {
    const patch: Record<string, string[]> = {};
    for (const { name, value } of parseQualifiers(text, names)) {
      patch[name] = [...(patch[name] ?? []), value];
    }
    setText("");
    onEnter(patch);
  };
  return (
    <form
      className={classes.box}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") apply();
      }}
    >
      <TextInput
        {...(boxRef ? { ref: boxRef } : {})}
        label="Filter"
        placeholder={example}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </form>
  );
}

type ChipsProps = Pick<FilterBarProps, "fields" | "values" | "onChange" | "onClear">;

function Chips({ fields, values, onChange, onClear }: ChipsProps) {
  const chips = [...fields, { name: "q", label: "Search" }].flatMap((field) =>
    (values[field.name] ?? []).map((value) => ({ field, value })),
  );
  if (chips.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label="Filters that are on">
      {chips.map(({ field, value }) => {
        const words = `${field.label}: ${labelOf(field, value)}`;
        const rest = (values[field.name] ?? []).filter((other) => other !== value);
        return (
          <li key={`${field.name}:${value}`} className={classes.chip}>
            {words}
            <CloseButton
              size="xs"
              aria-label={`Remove filter ${words}`}
              onClick={() => onChange({ [field.name]: rest })}
            />
          </li>
        );
      })}
      <li>
        <Button size="compact-xs" variant="default" onClick={onClear}>
          Clear filters
        </Button>
      </li>
    </ul>
  );
}

function labelOf(field: FilterField, value: string): string {
  return field.options?.find((option) => option.value === value)?.label ?? value;
}
