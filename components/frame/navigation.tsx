"use client";

import { Menu } from "@mantine/core";
import { spotlight } from "@mantine/spotlight";
import { Ellipsis, OctagonPause, Search, Settings } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { StateIcon } from "@/components/state-icon";
import { useFrame } from "./frame-facts";
import { useFreshness } from "./live";
import classes from "./navigation.module.css";
import { type FramePage, pageAt, pageGroupsFor, pagesOfBar } from "./pages";
import { usePauseDialog } from "./pause-dialog";

/** The menu on the left; below 768 px a bar of five at the bottom, with the rest behind "More" (screens 3.25). */
export function Navigation() {
  const { role } = useFrame();
  const groups = pageGroupsFor(role);
  const inBar = pagesOfBar(role);
  return (
    <nav aria-label="Main" className={classes.nav}>
      {groups.map((group) => (
        <div key={group.label} className={classes.group}>
          <h2 className={classes.groupLabel}>{group.label}</h2>
          <ul>
            {group.pages.map((page) => (
              <Item key={page.key} page={page} inBar={inBar.includes(page.key)} />
            ))}
          </ul>
        </div>
      ))}
      <div className={`${classes.group} ${classes.last}`}>
        <ul>
          <li data-in-bar={false}>
            <Link href="/me" className={classes.item}>
              <Settings size={16} aria-hidden />
              <span className={classes.label}>Your settings</span>
            </Link>
          </li>
          <li className={classes.narrowOnly}>
            <button type="button" className={classes.item} onClick={() => spotlight.open()}>
              <Search size={16} aria-hidden />
              <span className={classes.label}>Search</span>
            </button>
          </li>
          <li className={classes.narrowOnly}>
            <More pages={groups.flatMap(({ pages }) => pages)} inBar={inBar} />
          </li>
        </ul>
      </div>
    </nav>
  );
}

interface MoreProps {
  readonly pages: readonly FramePage[];
  readonly inBar: readonly FramePage["key"][];
}

/** What has no place in the bar; pausing comes first for those who may. */
function More({ pages, inBar }: MoreProps) {
  const { tenant } = useFrame();
  const openPause = usePauseDialog();
  return (
    <Menu position="top-end" width={220}>
      <Menu.Target>
        <button type="button" className={classes.item}>
          <Ellipsis size={16} aria-hidden />
          <span className={classes.label}>More</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {openPause === null ? null : (
          <Menu.Item leftSection={<OctagonPause size={14} aria-hidden />} onClick={openPause}>
            Pause…
          </Menu.Item>
        )}
        {pages
          .filter(({ key }) => !inBar.includes(key))
          .map(({ key, path, label, icon }) => (
            <Menu.Item
              key={key}
              component={Link}
              href={`/t/${tenant.slug}${path}`}
              leftSection={<StateIcon name={icon} size={14} />}
            >
              {label}
            </Menu.Item>
          ))}
        <Menu.Item component={Link} href="/me" leftSection={<Settings size={14} aria-hidden />}>
          Your settings
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface ItemProps {
  readonly page: FramePage;
  readonly inBar: boolean;
}

function Item({ page, inBar }: ItemProps) {
  const { tenant, role } = useFrame();
  const base = `/t/${tenant.slug}`;
  const href = `${base}${page.path}`;
  const here = pageAt(role, usePathname().slice(base.length))?.key === page.key;
  return (
    <li data-in-bar={inBar}>
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
