"use client";

import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { MarkedText } from "./marked-text";
import classes from "./payload-view.module.css";

export interface PlainRow {
  readonly label: string;
  readonly before: string | null;
  readonly after: string | null;
}

interface PayloadViewProps {
  /** The canonical text, exactly as it was hashed. */
  readonly text: string;
  /** The same in words, every member; without it each member is shown with its path. */
  readonly rows?: readonly PlainRow[] | undefined;
}

/** The exact payload in plain words and as its canonical text (AP-1). Nothing in it is changed or left out. */
export function PayloadView({ text, rows }: PayloadViewProps) {
  const [form, setForm] = useState("words");
  const fields = rows?.map(fieldOf) ?? payloadFields(text).map(byPath);
  return (
    <div>
      <div className={classes.bar}>
        <SegmentedControl
          aria-label="Form of the payload"
          size="xs"
          value={form}
          onChange={setForm}
          data={[
            { value: "words", label: "Plain words" },
            { value: "text", label: "Canonical text" },
          ]}
        />
        <span className={classes.size}>{payloadSize(text)}</span>
      </div>
      {form === "text" ? (
        <pre className={classes.text}>
          <MarkedText text={text} />
        </pre>
      ) : (
        <dl className={classes.fields}>
          {fields.map(({ label, value }) => (
            <div key={label} className={classes.field}>
              <dt>{label}</dt>
              <dd>
                <MarkedText text={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

interface Field {
  readonly label: string;
  readonly value: string;
}

function fieldOf({ label, before, after }: PlainRow): Field {
  if (before === null || after === null) return { label, value: after ?? before ?? "none" };
  return { label, value: `${after} (before: ${before})` };
}

function byPath({ path, value }: PayloadField): Field {
  return { label: fieldLabel(path), value };
}

/** `18 fields, 612 bytes`. */
export function payloadSize(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  const count = payloadFields(text).length;
  return `${count} ${count === 1 ? "field" : "fields"}, ${bytes} bytes`;
}

export interface PayloadField {
  /** Dotted as in `signers.0.role`. */
  readonly path: string;
  readonly value: string;
}

/** Every value of a payload with the path that leads to it, in the payload's own order. */
export function payloadFields(text: string): readonly PayloadField[] {
  const found: PayloadField[] = [];
  flatten("", JSON.parse(text), found);
  return found;
}

function flatten(path: string, value: unknown, found: PayloadField[]): void {
  if (typeof value === "object" && value !== null && Object.keys(value).length > 0) {
    for (const [name, member] of Object.entries(value)) {
      flatten(path === "" ? name : `${path}.${name}`, member, found);
    }
    return;
  }
  found.push({ path, value: typeof value === "string" ? value : JSON.stringify(value) });
}

/** `signers 1 · contact digest` for `signers.0.contactDigest`: places are counted from one. */
export function fieldLabel(path: string): string {
  const words: string[] = [];
  for (const part of path.split(".")) {
    if (/^\d+$/.test(part) && words.length > 0) words.push(`${words.pop()} ${Number(part) + 1}`);
    else words.push(part.replaceAll("_", " ").replace(/([a-z])([A-Z])/g, lowered));
  }
  return words.join(" · ");
}

function lowered(_whole: string, left: string, right: string): string {
  return `${left} ${right.toLowerCase()}`;
}
