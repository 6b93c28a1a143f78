"use client";

import { Select } from "@mantine/core";
import { zoneNames } from "@/lib/domain/zone";

/** How many matches are drawn: enough to see that one has to type more, few enough to stay quick. */
const SHOWN_MAX = 60;

interface ZoneSelectProps {
  readonly id: string;
  readonly value: string;
  readonly onChange: (zone: string) => void;
  readonly error?: string | null;
}

/** Chooses a zone by its IANA name from the rules that ship with the product (TM-6). */
export function ZoneSelect({ id, value, onChange, error }: ZoneSelectProps) {
  return (
    <Select
      id={id}
      label="Zone"
      value={value}
      onChange={(zone) => {
        if (zone !== null) onChange(zone);
      }}
      data={zoneNames()}
      limit={SHOWN_MAX}
      searchable
      allowDeselect={false}
      nothingFoundMessage="There is no zone of that name."
      error={error ?? undefined}
    />
  );
}
