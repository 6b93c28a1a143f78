type Given = Readonly<Record<string, string | string[] | undefined>>;

/** Parameters of a list as plain text. */
export type FlatAddress<Name extends string> = Readonly<Partial<Record<Name, string>>>;

/** Reads what an address says about a list with these parameters; a value given twice counts once. */
export function pickAddress<Name extends string>(
  names: readonly Name[],
  given: Given,
): FlatAddress<Name> {
  const found: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = given[name];
    const text = Array.isArray(value) ? value.join(",") : value;
    if (text !== undefined && text !== "") found[name] = text;
  }
  return found;
}

/**
 * `?state=…`, or nothing, in the order of the names, so that equal lists have equal addresses. A change of anything but
 * the place begins at the first page again.
 */
export function flatText<Name extends string>(
  names: readonly Name[],
  address: FlatAddress<Name>,
  patch: Readonly<Record<string, string | null>> = {},
): string {
  const params = new URLSearchParams();
  const moved = Object.keys(patch).length > 0;
  for (const name of names) {
    const isPlace = name === "after" || name === "before";
    const kept = isPlace && moved ? undefined : address[name];
    const value = patch[name] === undefined ? kept : patch[name];
    if (value) params.set(name, value);
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}
