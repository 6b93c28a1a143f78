"use client";

import { NativeSelect } from "@mantine/core";
import { ROLE_LABELS, type Role } from "@/lib/domain/role";
import { ownerWords } from "@/lib/domain/waiting";
import { useFrame } from "./frame/frame-facts";

/** A person or a team that an item may be given to. */
export interface OwnerChoice {
  /** `team:on-call` or `account:<uuid>`. */
  readonly owner: string;
  /** The person's role; null for a team. */
  readonly role: Role | null;
  readonly onCallNow: boolean;
}

interface OwnerPickerProps {
  readonly label: string;
  readonly owners: readonly OwnerChoice[];
  readonly value: string | null;
  readonly onChange: (owner: string | null) => void;
  readonly error?: string | null;
  /** What nobody chosen means; "Choose…" where somebody must be. */
  readonly none?: string;
}

/** Chooses among the people and teams who may have it; who is on call now is said and comes first. */
export function OwnerPicker(props: OwnerPickerProps) {
  const { label, owners, value, onChange, error = null, none = "Choose…" } = props;
  const { account } = useFrame();
  const option = (one: OwnerChoice) => ({ value: one.owner, label: choiceWords(one, account.id) });
  const teams = owners.filter(({ owner }) => owner.startsWith("team:"));
  const people = owners
    .filter(({ owner }) => owner.startsWith("account:"))
    .sort((a, b) => Number(b.onCallNow) - Number(a.onCallNow));
  return (
    <NativeSelect
      label={label}
      value={value ?? ""}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value || null)}
      data={[
        { value: "", label: none },
        ...(people.length === 0 ? [] : [{ group: "People", items: people.map(option) }]),
        { group: "Teams", items: teams.map(option) },
      ]}
    />
  );
}

/** "You, on-call engineer", "Account 1a2b3c4d, admin · on call now", "The on-call team". */
function choiceWords({ owner, role, onCallNow }: OwnerChoice, accountId: string): string {
  const name = owner === `account:${accountId}` ? "You" : ownerWords(owner);
  const words = role === null ? name : `${name}, ${ROLE_LABELS[role]}`;
  return onCallNow ? `${words} · on call now` : words;
}
