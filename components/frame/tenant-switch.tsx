"use client";

import { Button, Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ChevronsUpDown } from "lucide-react";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { ROLE_LABELS, type Role } from "@/lib/domain/role";
import { useFrame } from "./frame-facts";
import classes from "./header.module.css";
import { liveJson } from "./live-json";
import { samePageIn, startOf } from "./pages";

export interface TenantChoice {
  readonly slug: string;
  readonly name: string;
  readonly role: Role;
  readonly waitingForMe: number;
  readonly reviewsOpen: number;
  readonly reviewsBreached: number;
  readonly unknown: number;
}

/** Lists the person's tenants. Another one opens on the same page where it exists there, else where the role starts. */
export function TenantSwitch() {
  const { tenant } = useFrame();
  const [opened, setOpened] = useState(false);
  const pathname = usePathname();
  const { data } = useQuery({
    queryKey: ["me", "tenants"],
    queryFn: () => liveJson<{ tenants: TenantChoice[] }>("/api/v1/me/tenants"),
    enabled: opened,
  });
  const below = pathname.slice(`/t/${tenant.slug}`.length);
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-start" width={320}>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          className={classes.tenant}
          rightSection={<ChevronsUpDown size={14} aria-hidden />}
        >
          Tenant: {tenant.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {data?.tenants.map((choice) => (
          <Menu.Item
            key={choice.slug}
            component="a"
            href={`/t/${choice.slug}${samePageIn(choice.role, below) ?? startOf(choice.role)}`}
            aria-current={choice.slug === tenant.slug ? "true" : undefined}
          >
            <span className={classes.choice}>
              <strong>{choice.name}</strong>
              <span className={classes.dimmed}>{ROLE_LABELS[choice.role]}</span>
              <span className={classes.dimmed}>{figuresOf(choice)}</span>
            </span>
          </Menu.Item>
        ))}
        <Menu.Item component="a" href="/tenants">
          All tenants
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function figuresOf({ waitingForMe, reviewsOpen, reviewsBreached, unknown }: TenantChoice): string {
  const reviews = `${reviewsOpen} in review${reviewsBreached > 0 ? `, ${reviewsBreached} late` : ""}`;
  return `${waitingForMe} waiting for you · ${reviews} · ${unknown} unknown`;
}
