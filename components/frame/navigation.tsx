"use client";

import { Settings } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { StateIcon } from "@/components/state-icon";
import { useFrame } from "./frame-facts";
import { useFreshness } from "./live";
import classes from "./navigation.module.css";
import { type FramePage, pageGroupsFor } from "./pages";

/** The menu on the left; below 768 px a bar at the bottom. */
export function Navigation() {
  const { role } = useFrame();
  const groups = pageGroupsFor(role);
  return (
    <nav aria-label="Main" className={classes.nav}>
      {groups.map((group) => (
        <div key={group.label} className={classes.group}>
          <h2 className={classes.groupLabel}>{group.label}</h2>
          <ul>
            {group.pages.map((page) => (
              <Item key={page.key} page={page} />
            ))}
          </ul>
        </div>
      ))}
      <div className={`${classes.group} ${classes.last}`}>
        <ul>
          <li>
            <Link href="/me" className={classes.item}>
              <Settings size={16} aria-hidden />
              <span className={classes.label}>Your settings</span>
            </Link>
          </li>
        </ul>
      </div>
    </nav>
  );
}

function Item({ page }: { readonly page: FramePage }) {
  const { tenant } = useFrame();
  const pathname = usePathname();
  const href = `/t/${tenant.slug}${page.path}`;
  const here = pathname === href || pathname.startsWith(`${href}/`);
  return (
    <li>
      <Link href={href} className={classes.item} aria-current={here ? "page" : undefined}>
        <StateIcon name={page.icon} size={16} />
        <span className={classes.label}>{page.label}</span>
        <Badges pageKey={page.key} />
      </Link>
    </li>
  );
}

/** Figures beside a page's name. A zero is not drawn. */
function Badges({ pageKey }: { readonly pageKey: FramePage["key"] }) {
  const { counts } = useFreshness().pulse;
  switch (pageKey) {
    case "approvals":
      return <Figure value={counts.waitingForMe} words="waiting for you" />;
    case "operations":
      return <Figure value={counts.unknown} words="unknown now" tone="unknown" />;
    case "reviews":
      return (
        <>
          <Figure value={counts.reviewsOpen} words="open" />
          <Figure value={counts.reviewsBreached} words="past their limit" tone="danger" />
        </>
      );
    default:
      return null;
  }
}

interface FigureProps {
  readonly value: number;
  readonly words: string;
  readonly tone?: "plain" | "unknown" | "danger";
}

function Figure({ value, words, tone = "plain" }: FigureProps) {
  if (value === 0) return null;
  return (
    <span className={classes.figure} data-tone={tone}>
      {value}
      <span className={classes.hidden}> {words}</span>
    </span>
  );
}
