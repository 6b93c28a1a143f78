"use client";

import { Button, Menu, useMantineColorScheme } from "@mantine/core";
import { CircleUser, LogOut, OctagonPause, Settings } from "lucide-react";
import { signOut } from "next-auth/react";
import { ROLE_LABELS } from "@/lib/domain/role";
import { useFrame } from "./frame-facts";
import classes from "./header.module.css";
import { usePauseDialog } from "./pause-dialog";

const THEMES = [
  { value: "auto", label: "System theme" },
  { value: "light", label: "Light theme" },
  { value: "dark", label: "Dark theme" },
] as const;

/** The person's own menu: theme, settings, signing out. */
export function AccountMenu() {
  const { role, account } = useFrame();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const openPause = usePauseDialog();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          c="inherit"
          px={8}
          aria-label="Account menu"
        >
          <CircleUser size={16} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <span className={classes.login}>{account.login}</span>
          <br />
          {ROLE_LABELS[role]}
        </Menu.Label>
        <Menu.Divider />
        {THEMES.map(({ value, label }) => (
          <Menu.Item
            key={value}
            role="menuitemradio"
            aria-checked={colorScheme === value}
            onClick={() => setColorScheme(value)}
          >
            {colorScheme === value ? "● " : "○ "}
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {openPause === null ? null : (
          <Menu.Item leftSection={<OctagonPause size={14} aria-hidden />} onClick={openPause}>
            Pause…
          </Menu.Item>
        )}
        <Menu.Item component="a" href="/me" leftSection={<Settings size={14} aria-hidden />}>
          Your settings
        </Menu.Item>
        <Menu.Item
          leftSection={<LogOut size={14} aria-hidden />}
          onClick={() => void signOut({ callbackUrl: "/sign-in" })}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
