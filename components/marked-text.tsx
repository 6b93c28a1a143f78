import { Fragment, type ReactNode } from "react";
import { suspiciousCharacters } from "@/lib/domain/suspicious";
import classes from "./marked-text.module.css";

/**
 * A text as it is, with every invisible character, combining mark and letter of another script drawn with its code
 * point (C-03). The text itself is never changed: copying it gives the same characters.
 */
export function MarkedText({ text }: { readonly text: string }) {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const { index, codePoint, name } of suspiciousCharacters(text)) {
    const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
    parts.push(
      <Fragment key={index}>
        {text.slice(from, index)}
        <mark className={classes.mark} title={`${codePoint} ${name}`}>
          {character}
          <span className={classes.code}>
            {codePoint} {name}
          </span>
        </mark>
      </Fragment>,
    );
    from = index + character.length;
  }
  return (
    <>
      {parts}
      {text.slice(from)}
    </>
  );
}
