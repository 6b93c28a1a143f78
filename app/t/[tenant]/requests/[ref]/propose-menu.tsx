"use client";

import { Button, Menu } from "@mantine/core";
import Link from "next/link";
import classes from "./request.module.css";

const MORE = [
  { kind: "remind", label: "Propose reminder" },
  { kind: "resend", label: "Propose resend" },
  { kind: "expire", label: "Propose expiry" },
  { kind: "void", label: "Propose void" },
] as const;

/** The changes that may be asked for; each opens its page and none does anything by itself. */
export function ProposeMenu({ path }: { readonly path: string }) {
  return (
    <span className={classes.proposals}>
      <Button component={Link} href={`${path}/propose/extend`}>
        Propose extension
      </Button>
      <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <Button variant="default">More</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {MORE.map(({ kind, label }) => (
            <Menu.Item key={kind} component={Link} href={`${path}/propose/${kind}`}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </span>
  );
}
