/** So many statements are prepared on a connection; SQL beyond them is sent unnamed, so that it takes no memory. */
const PREPARED_MAX = 500;

/**
 * Names for prepared statements: the server parses and plans a statement once per connection instead of every time.
 * The same SQL always gets the same name. An empty name means that it is not prepared: statements without values,
 * and new ones when there are too many.
 */
export function statementNames(): (query: {
  readonly sql: string;
  readonly args: readonly unknown[];
}) => string {
  const names = new Map<string, string>();
  return ({ sql, args }) => {
    if (args.length === 0) return "";
    const known = names.get(sql);
    if (known !== undefined || names.size === PREPARED_MAX) return known ?? "";
    const name = `dl_${names.size}`;
    names.set(sql, name);
    return name;
  };
}
