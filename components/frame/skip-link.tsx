import classes from "./skip-link.module.css";

/** The first stop of the Tab key. */
export function SkipLink() {
  return (
    <a href="#content" className={classes.skip}>
      Skip to content
    </a>
  );
}
