import Link from "next/link";
import type { ReactNode } from "react";
import classes from "./page-head.module.css";

export interface Crumb {
  readonly label: string;
  readonly href: string;
}

interface PageHeadProps {
  /** The page's one `h1`. */
  readonly title: string;
  /** The pages above this one, outermost first; the page itself is added. */
  readonly crumbs?: readonly Crumb[];
  /** How the page calls itself in the crumbs when that is shorter than the title: `op 7c1e4b09`. */
  readonly here?: string;
  readonly badge?: ReactNode;
  /** The page's primary action. */
  readonly action?: ReactNode;
  /** One dimmed line below the title. */
  readonly note?: ReactNode;
}

/** Breadcrumbs, heading, badge and primary action of a page. */
export function PageHead({ title, crumbs = [], here, badge, action, note }: PageHeadProps) {
  return (
    <header className={classes.head}>
      {crumbs.length === 0 ? null : (
        <nav aria-label="Breadcrumbs">
          <ol className={classes.crumbs}>
            {crumbs.map((crumb) => (
              <li key={crumb.href}>
                <Link href={crumb.href}>{crumb.label}</Link>
              </li>
            ))}
            <li aria-current="page">{here ?? title}</li>
          </ol>
        </nav>
      )}
      <div className={classes.line}>
        <h1 className={classes.title}>{title}</h1>
        {badge}
        {action ? <div className={classes.action}>{action}</div> : null}
      </div>
      {note ? <p className={classes.note}>{note}</p> : null}
    </header>
  );
}
