import type { ReactNode } from "react";
import { EnvironmentBand } from "./environment-band";
import classes from "./plain-page.module.css";
import { SkipLink } from "./skip-link";

interface PlainPageProps {
  readonly title: string;
  readonly children: ReactNode;
  /** `narrow` for forms and messages, `wide` for tables. */
  readonly width?: "narrow" | "wide";
  /** Links beside the product's name. */
  readonly actions?: ReactNode;
  /** Draws the environment band where no tenant's connection is known yet. */
  readonly band?: boolean;
}

/** A page outside the tenants: product name, one heading, content. */
export function PlainPage({ title, children, width = "narrow", actions, band }: PlainPageProps) {
  return (
    <>
      <SkipLink />
      <header>
        {band ? <EnvironmentBand live={false} /> : null}
        <div className={classes.top}>
          <span className={classes.product}>Deadline Ledger</span>
          {actions ? <div className={classes.actions}>{actions}</div> : null}
        </div>
      </header>
      <main id="content" tabIndex={-1} className={classes.main} data-width={width}>
        <h1 className={classes.title}>{title}</h1>
        {children}
      </main>
    </>
  );
}
