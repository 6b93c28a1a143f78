import Link from "next/link";
import classes from "./pager.module.css";
import { grouped } from "./state-strip";

interface PagerProps {
  /** One and many: ["operation", "operations"]. */
  readonly noun: readonly [string, string];
  readonly count: number;
  /** True when there are more than `count`. */
  readonly more: boolean;
  /** Addresses of the neighbouring pages; null at an end. */
  readonly newer: string | null;
  readonly older: string | null;
  readonly size: number;
  readonly sizes: readonly number[];
  readonly sizeHref: (size: number) => string;
}

/** The result line and the way through a keyset: addresses, so that a page can be shared and gone back to. */
export function Pager(props: PagerProps) {
  const { noun, count, more, newer, older, size, sizes, sizeHref } = props;
  const [one, many] = noun;
  return (
    <nav className={classes.pager} aria-label="Pages">
      <output>
        {more
          ? `more than ${grouped(count)} ${many}`
          : `${grouped(count)} ${count === 1 ? one : many}`}
      </output>
      <span className={classes.sizes}>
        Rows{" "}
        {sizes.map((each) => (
          <Link
            key={each}
            href={sizeHref(each)}
            aria-label={`${each} rows per page`}
            aria-current={each === size ? "true" : undefined}
          >
            {each}
          </Link>
        ))}
      </span>
      <span className={classes.ways}>
        <Way href={newer} rel="prev">
          Newer
        </Way>
        <Way href={older} rel="next">
          Older
        </Way>
      </span>
    </nav>
  );
}

interface WayProps {
  readonly href: string | null;
  readonly rel: string;
  readonly children: string;
}

function Way({ href, rel, children }: WayProps) {
  if (href === null) return <span className={classes.end}>{children}</span>;
  return (
    <Link href={href} rel={rel} className={classes.way}>
      {children}
    </Link>
  );
}
