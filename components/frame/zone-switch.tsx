"use client";

import { SegmentedControl } from "@mantine/core";
import { READING_CHOICES } from "./reading-choice";
import { useReadingChoice } from "./reading-zone";

/** Which zone line 2 of deadlines, moments and times in sentences are read in. */
export function ZoneSwitch() {
  const { choice, myZone, choose } = useReadingChoice();
  const data = [
    { value: "request", label: "Request zone" },
    { value: "utc", label: "UTC" },
    { value: "mine", label: `My zone (${myZone})` },
    // A shared link may name a zone that is not this reader's.
    ...(isOffered(choice) ? [] : [{ value: choice, label: choice }]),
  ];
  return (
    <SegmentedControl
      aria-label="Reading zone"
      size="xs"
      data={data}
      value={choice}
      onChange={(value) => {
        if (isOffered(value)) choose(value);
      }}
    />
  );
}

function isOffered(value: string): value is (typeof READING_CHOICES)[number] {
  return (READING_CHOICES as readonly string[]).includes(value);
}
