"use client";

import { Button, Kbd, Modal } from "@mantine/core";
import { Spotlight, spotlight } from "@mantine/spotlight";
import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { StateIcon } from "@/components/state-icon";
import type { Role } from "@/lib/domain/role";
import { useFrame } from "./frame-facts";
import classes from "./header.module.css";
import { jumpsFor } from "./jump";
import { pageGroupsFor } from "./pages";
import { usePauseDialog } from "./pause-dialog";

/** Opens the palette; so does Ctrl K, also from within a field. */
export function PaletteButton() {
  return (
    <Button
      variant="default"
      size="xs"
      className={classes.palette}
      leftSection={<Search size={14} aria-hidden />}
      rightSection={
        <Kbd size="xs" className={classes.keys}>
          Ctrl K
        </Kbd>
      }
      onClick={spotlight.open}
    >
      Search or jump
    </Button>
  );
}

interface Entry {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly path: string;
  readonly icon?: string;
}

/** Pages, exact ids, and the pause dialog. Nothing runs from here: every entry opens its page or its question. */
export function Palette() {
  const { tenant, role } = useFrame();
  const router = useRouter();
  const [typed, setTyped] = useState("");
  const openPause = usePauseDialog();
  const entries = entriesFor(role, `/t/${tenant.slug}`, typed);
  const offersPause = openPause !== null && "pause…".includes(typed.trim().toLowerCase());
  return (
    <Spotlight.Root
      query={typed}
      onQueryChange={setTyped}
      shortcut={["mod + K"]}
      tagsToIgnore={[]}
      scrollable
      maxHeight={420}
    >
      <Modal.Title className={classes.hidden}>Search or jump</Modal.Title>
      <Spotlight.Search
        leftSection={<Search size={16} aria-hidden />}
        placeholder="Page, operation id or request reference"
        aria-label="Search or jump"
      />
      <Spotlight.ActionsList>
        {entries.map((entry) => (
          <Spotlight.Action
            key={entry.id}
            className={classes.entry}
            label={entry.label}
            description={entry.description}
            leftSection={<StateIcon name={entry.icon ?? "circle-dot"} size={16} />}
            onClick={() => router.push(entry.path)}
          />
        ))}
        {offersPause ? (
          <Spotlight.Action
            className={classes.entry}
            label="Pause…"
            description="Stop new starts: a scope and a reason"
            leftSection={<StateIcon name="octagon-pause" size={16} />}
            onClick={openPause}
          />
        ) : null}
        {entries.length === 0 && !offersPause ? (
          <Spotlight.Empty>Nothing here has that name or id.</Spotlight.Empty>
        ) : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

function entriesFor(role: Role, base: string, typed: string): readonly Entry[] {
  const pages: readonly Entry[] = [
    ...pageGroupsFor(role)
      .flatMap((group) => group.pages)
      .map(({ key, label, icon, goKey, path }) => ({
        id: key,
        label,
        icon,
        description: goKey === null ? "Page" : `g ${goKey}`,
        path: `${base}${path}`,
      })),
    { id: "me", label: "Your settings", description: "Zone, theme, sessions", path: "/me" },
    { id: "tenants", label: "Choose a tenant", description: "g t", path: "/tenants" },
  ];
  const words = typed.trim().toLowerCase();
  const jumps = jumpsFor(typed).map(({ label, path }) => ({
    id: path,
    label,
    description: "Open by its id",
    path: `${base}${path}`,
  }));
  return [...jumps, ...pages.filter(({ label }) => label.toLowerCase().includes(words))];
}
