"use client";

import { Button, Kbd } from "@mantine/core";
import { Spotlight, spotlight } from "@mantine/spotlight";
import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { StateIcon } from "@/components/state-icon";
import { useFrame } from "./frame-facts";
import classes from "./header.module.css";
import { jumpsFor } from "./jump";
import { pageGroupsFor } from "./pages";

/** Opens the palette; so does Ctrl K, also from within a field. */
export function PaletteButton() {
  return (
    <Button
      variant="default"
      size="xs"
      className={classes.palette}
      leftSection={<Search size={14} aria-hidden />}
      rightSection={<Kbd size="xs">Ctrl K</Kbd>}
      onClick={spotlight.open}
    >
      Search or jump
    </Button>
  );
}

/** Pages and exact ids. Nothing runs from here: every entry opens its page. */
export function Palette() {
  const { tenant, role } = useFrame();
  const router = useRouter();
  const [typed, setTyped] = useState("");
  const go = (path: string) => () => router.push(path);
  const pages = pageGroupsFor(role).flatMap((group) => group.pages);
  const actions = [
    ...jumpsFor(typed).map(({ label, path }) => ({
      id: `jump ${path}`,
      label,
      description: "Open by its id",
      // The filter looks at keywords, so that an id always matches itself.
      keywords: [typed.trim()],
      onClick: go(`/t/${tenant.slug}${path}`),
    })),
    ...pages.map((page) => ({
      id: page.key,
      label: page.label,
      description: `g ${page.goKey}`,
      leftSection: <StateIcon name={page.icon} size={16} />,
      onClick: go(`/t/${tenant.slug}${page.path}`),
    })),
    { id: "me", label: "Your settings", description: "Zone, theme, sessions", onClick: go("/me") },
    { id: "tenants", label: "Choose a tenant", description: "g t", onClick: go("/tenants") },
  ];
  return (
    <Spotlight
      actions={actions}
      query={typed}
      onQueryChange={setTyped}
      shortcut={["mod + K"]}
      tagsToIgnore={[]}
      nothingFound="Nothing here has that name or id."
      highlightQuery
      searchProps={{
        leftSection: <Search size={16} aria-hidden />,
        placeholder: "Page, operation id or request reference",
        "aria-label": "Search or jump",
      }}
    />
  );
}
