import type { JsonValue } from "./canonical";

export interface Difference {
  /** Dotted as in `signers.0.role`; empty when the two values differ as a whole. */
  readonly path: string;
  /** Undefined where the earlier value has no such member. */
  readonly before: JsonValue | undefined;
  /** Undefined where the later value has no such member. */
  readonly after: JsonValue | undefined;
}

/** Every place at which two JSON values differ, by path. A member that only one of them has is one place. */
export function differences(before: JsonValue, after: JsonValue): readonly Difference[] {
  const found: Difference[] = [];
  compare("", before, after, found);
  return found;
}

/** The paths of `differences` without the values, for those who may not see payloads (ID-6). */
export function differingFields(before: JsonValue, after: JsonValue): readonly string[] {
  return differences(before, after).map(({ path }) => path);
}

function compare(
  path: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  found: Difference[],
): void {
  if (before === after) return;
  const [left, right] = [membersOf(before), membersOf(after)];
  if (left === null || right === null || Array.isArray(before) !== Array.isArray(after)) {
    found.push({ path, before, after });
    return;
  }
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    compare(path === "" ? name : `${path}.${name}`, left.get(name), right.get(name), found);
  }
}

function membersOf(value: JsonValue | undefined): ReadonlyMap<string, JsonValue> | null {
  if (typeof value !== "object" || value === null) return null;
  return new Map(Object.entries(value));
}
