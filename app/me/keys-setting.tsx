"use client";

import { Switch } from "@mantine/core";
import { useEffect, useState } from "react";
import { setSingleKeys, singleKeysAreOn } from "@/components/frame/single-keys";

/** Kept in this browser. */
export function KeysSetting() {
  const [on, setOn] = useState(true);
  useEffect(() => setOn(singleKeysAreOn()), []);
  return (
    <Switch
      label="Single-key shortcuts"
      description="Press ? on any page of a tenant for the list."
      checked={on}
      onChange={(event) => {
        setSingleKeys(event.currentTarget.checked);
        setOn(event.currentTarget.checked);
      }}
    />
  );
}
