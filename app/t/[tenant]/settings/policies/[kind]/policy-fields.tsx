"use client";

import { Checkbox, Group, NumberInput, Radio, Switch, TextInput } from "@mantine/core";
import type { Policy } from "@/lib/domain/policy";
import {
  LATE_SIGNATURE,
  POLICY_LABELS,
  type PolicyField,
  type PolicyKind,
  rulesOf,
} from "@/lib/domain/policy-words";
import { ROLE_LABELS, ROLES, type Role } from "@/lib/domain/role";

interface PolicyFieldsProps {
  readonly kind: PolicyKind;
  readonly draft: Policy;
  onChange(draft: Policy): void;
}

/** One control per rule that means something for the kind. */
export function PolicyFields({ kind, draft, onChange }: PolicyFieldsProps) {
  const set = (changes: Partial<Policy>) => onChange({ ...draft, ...changes });
  return rulesOf(kind).map((field) => <Rule key={field} {...{ field, draft, set }} />);
}

interface RuleProps {
  readonly field: PolicyField;
  readonly draft: Policy;
  set(changes: Partial<Policy>): void;
}

function Rule({ field, draft, set }: RuleProps) {
  switch (field) {
    case "proposerRoles":
    case "approverRoles":
      return <Roles {...{ field, draft, set }} />;
    case "fourEyes":
    case "automatic":
    case "sameStatus":
      return (
        <Switch
          id={field}
          label={POLICY_LABELS[field]}
          checked={draft[field]}
          onChange={({ currentTarget }) => set({ [field]: currentTarget.checked })}
        />
      );
    case "quorum":
      return <Count {...{ field, draft, set }} unit="people" min={1} max={10} />;
    case "validityHours":
      return <Count {...{ field, draft, set }} unit="hours" min={1} max={720} />;
    case "minIntervalHours":
      return <Count {...{ field, draft, set }} unit="hours" min={0} max={720} />;
    case "toleranceMinutes":
      return <Count {...{ field, draft, set }} unit="minutes" min={0} max={44_640} />;
    case "everyDays":
      return <Interval {...{ draft, set }} />;
    case "atTime":
      return (
        <TextInput
          id={field}
          type="time"
          label={POLICY_LABELS[field]}
          value={draft.atTime}
          onChange={({ currentTarget }) => set({ atTime: currentTarget.value })}
          w={160}
        />
      );
    case "lateSignature":
      return <Late {...{ draft, set }} />;
    case "reminderOwner":
      return <Reminding {...{ draft, set }} />;
  }
}

function Roles({
  field,
  draft,
  set,
}: RuleProps & { readonly field: "proposerRoles" | "approverRoles" }) {
  return (
    <Checkbox.Group
      label={POLICY_LABELS[field]}
      value={[...draft[field]]}
      onChange={(roles) => set({ [field]: roles as Role[] })}
    >
      <Group id={field} tabIndex={-1} mt={4} gap="sm">
        {ROLES.map((role) => (
          <Checkbox key={role} value={role} label={ROLE_LABELS[role]} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

interface CountProps extends RuleProps {
  readonly field: "quorum" | "validityHours" | "minIntervalHours" | "toleranceMinutes";
  readonly unit: string;
  readonly min: number;
  readonly max: number;
}

function Count({ field, draft, set, unit, min, max }: CountProps) {
  return (
    <NumberInput
      id={field}
      label={`${POLICY_LABELS[field]} (${unit})`}
      value={draft[field]}
      onChange={(value) => set({ [field]: Number(value) })}
      min={min}
      max={max}
      allowDecimal={false}
      clampBehavior="blur"
      w={160}
    />
  );
}

type Part = Omit<RuleProps, "field">;

function Interval({ draft, set }: Part) {
  const { everyDays } = draft;
  return (
    <Group align="end" gap="sm">
      <Switch
        id="everyDays"
        label={POLICY_LABELS.everyDays}
        checked={everyDays !== null}
        onChange={({ currentTarget }) => set({ everyDays: currentTarget.checked ? 3 : null })}
      />
      {everyDays === null ? null : (
        <NumberInput
          label="Every so many days"
          value={everyDays}
          onChange={(value) => set({ everyDays: Number(value) })}
          min={1}
          max={90}
          allowDecimal={false}
          clampBehavior="blur"
          w={160}
        />
      )}
    </Group>
  );
}

function Late({ draft, set }: Part) {
  return (
    <Radio.Group
      label={POLICY_LABELS.lateSignature}
      description="The console states the facts and opens a review item; it never decides what they mean."
      value={draft.lateSignature}
      onChange={(value) => set({ lateSignature: value as Policy["lateSignature"] })}
    >
      <Group id="lateSignature" tabIndex={-1} mt={4} gap="sm">
        {Object.entries(LATE_SIGNATURE).map(([value, label]) => (
          <Radio key={value} value={value} label={label} />
        ))}
      </Group>
    </Radio.Group>
  );
}

function Reminding({ draft, set }: Part) {
  return (
    <Radio.Group
      label={POLICY_LABELS.reminderOwner}
      value={draft.reminderOwner}
      onChange={(value) => set({ reminderOwner: value as Policy["reminderOwner"] })}
    >
      <Group id="reminderOwner" tabIndex={-1} mt={4} gap="sm">
        <Radio value="application" label="This console reminds" />
        <Radio value="platform" label="The platform reminds" />
      </Group>
    </Radio.Group>
  );
}
