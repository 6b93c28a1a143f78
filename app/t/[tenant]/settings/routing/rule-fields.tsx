"use client";

import { ActionIcon, Button, Group, NativeSelect, TextInput } from "@mantine/core";
import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import { type OwnerChoice, OwnerPicker } from "@/components/owner-picker";
import { kindNoun } from "@/lib/domain/asked";
import { OPERATION_KINDS } from "@/lib/domain/operation";
import { ROUTED_REASONS } from "@/lib/domain/routing";
import classes from "./routing.module.css";
import type { RuleDraft } from "./rule-draft";

interface RuleFieldsProps {
  readonly rule: RuleDraft;
  readonly number: number;
  readonly count: number;
  readonly owners: readonly OwnerChoice[];
  readonly connections: readonly { readonly id: string; readonly name: string }[];
  readonly error: string | null;
  readonly onChange: (change: Partial<RuleDraft>) => void;
  readonly onMove: (by: 1 | -1) => void;
  readonly onRemove: () => void;
}

/** One rule in the form: what it fits, who gets it, and who is told when nobody acts. */
export function RuleFields(props: RuleFieldsProps) {
  const { rule, number, owners, connections, error, onChange } = props;
  const choice = (label: string, value: string | null, data: Option[], name: keyof RuleDraft) => (
    <NativeSelect
      label={label}
      value={value ?? ""}
      data={[{ value: "", label: "any" }, ...data]}
      onChange={(event) => onChange({ [name]: event.currentTarget.value || null })}
    />
  );
  return (
    <fieldset className={classes.rule} id={`rule-${number}`}>
      <legend>Rule {number}</legend>
      <div className={classes.fields}>
        {choice("Reason", rule.reason, ROUTED_REASONS.map(optionOf), "reason")}
        {choice(
          "Kind",
          rule.kind,
          OPERATION_KINDS.map((value) => ({ value, label: kindNoun(value) })),
          "kind",
        )}
        {choice(
          "Connection",
          rule.connectionId,
          connections.map(({ id, name }) => ({ value: id, label: name })),
          "connectionId",
        )}
        <OwnerPicker
          label="Goes to"
          owners={owners}
          value={rule.owner}
          onChange={(owner) => onChange({ owner: owner ?? "" })}
          error={error}
        />
        <OwnerPicker
          label="Escalates to"
          owners={owners}
          value={rule.escalateTo}
          none="the next in line"
          onChange={(escalateTo) => onChange({ escalateTo })}
        />
        <TextInput
          label="After minutes"
          inputMode="numeric"
          placeholder="at the limit"
          value={rule.escalateAfterMinutes}
          onChange={(event) => onChange({ escalateAfterMinutes: event.currentTarget.value })}
        />
      </div>
      <RuleButtons {...props} />
    </fieldset>
  );
}

interface Option {
  readonly value: string;
  readonly label: string;
}

function optionOf(value: string): Option {
  return { value, label: value };
}

function RuleButtons({ number, count, onMove, onRemove }: RuleFieldsProps) {
  return (
    <Group gap={6}>
      <ActionIcon
        variant="default"
        aria-label={`Move rule ${number} up`}
        disabled={number === 1}
        onClick={() => onMove(-1)}
      >
        <ArrowUp size={14} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label={`Move rule ${number} down`}
        disabled={number === count}
        onClick={() => onMove(1)}
      >
        <ArrowDown size={14} aria-hidden />
      </ActionIcon>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Trash2 size={14} aria-hidden />}
        onClick={onRemove}
      >
        Remove rule {number}
      </Button>
    </Group>
  );
}
