"use client";

import { Radio, useMantineColorScheme } from "@mantine/core";
import { useMounted } from "@mantine/hooks";

/** Kept in this browser. */
export function ThemeSetting() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  // The server cannot know the browser's choice; until it is known nothing is marked.
  const known = useMounted();
  return (
    <Radio.Group
      label="Theme"
      value={known ? colorScheme : null}
      onChange={(value) => setColorScheme(value as "auto" | "light" | "dark")}
    >
      <Radio value="auto" label="Like the system" mt={6} />
      <Radio value="light" label="Light" mt={6} />
      <Radio value="dark" label="Dark" mt={6} />
    </Radio.Group>
  );
}
