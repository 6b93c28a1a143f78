import Link from "next/link";
import { grouped } from "./state-strip";
import classes from "./view-tabs.module.css";

export interface ViewTab {
  readonly label: string;
  readonly href: string;
  readonly count?: number;
  readonly active: boolean;
}

/** Saved views or tabs as addresses, each with its count. */
export function ViewTabs({
  label,
  tabs,
}: {
  readonly label: string;
  readonly tabs: readonly ViewTab[];
}) {
  return (
    <nav aria-label={label}>
      <ul className={classes.tabs}>
        {tabs.map(({ label: words, href, count, active }) => (
          <li key={words}>
            <Link href={href} className={classes.tab} aria-current={active ? "page" : undefined}>
              {words}
              {count === undefined ? null : <span className={classes.count}>{grouped(count)}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
