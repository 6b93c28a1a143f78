/** Whom a notice was for, and who was told after nobody had been reached. */
export interface ToldSoFar {
  /** The audience of the first notice: `account:<uuid>` or `team:<name>`. */
  readonly first: string;
  /** The team behind it: itself, or that of the person's role. */
  readonly team: string;
  /** Only those of the team who are on call were told at first. */
  readonly byRota: boolean;
  /** The audiences that were told afterwards. */
  readonly after: readonly string[];
}

/**
 * The next team to be told of a matter about which nobody was reached (OB-2): the whole team of the owner, then on-call,
 * then the admins. Null when all of them were told.
 */
export function nextInLine({ first, team, byRota, after }: ToldSoFar): string | null {
  const told = new Set([...after, ...(first === team && byRota ? [] : [first])]);
  return [team, "team:on-call", "team:admins"].find((one) => !told.has(one)) ?? null;
}
