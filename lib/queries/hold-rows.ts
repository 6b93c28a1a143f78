import type { HoldScope } from "@/lib/domain/retention";
import type { Tx } from "@/lib/store/db";
import type { HoldEntry } from "@/lib/store/retention-holds";
import { resolveShownText, type VaultScope } from "@/lib/store/vault";
import { type Person, personsOf } from "./persons";

/** A hold as the console shows it. */
export interface HoldRow {
  readonly id: string;
  readonly scope: HoldScope;
  readonly about: string;
  /** As it was typed; null where it was erased. */
  readonly reason: string | null;
  readonly setBy: Person;
  readonly setAt: string;
  readonly liftedBy: Person | null;
  readonly liftedAt: string | null;
}

/** Holds with their reasons and the people behind them; the reading of a reason is recorded (PV-3). */
export async function holdRows(
  tx: Tx,
  scope: VaultScope,
  holds: readonly HoldEntry[],
  accountId: string,
): Promise<readonly HoldRow[]> {
  const names = holds.flatMap(({ setBy, liftedBy }) => userNames([setBy, liftedBy]));
  const persons = await personsOf(tx, scope.tenantId, names, accountId);
  const rows: HoldRow[] = [];
  for (const { reasonRef, setBy, setAt, liftedBy, liftedAt, ...hold } of holds) {
    const actor = `user:${accountId}`;
    const reason = await resolveShownText(tx, scope, reasonRef, "retention_page", actor);
    const setter = persons.get(userName(setBy));
    rows.push({
      ...hold,
      reason: reason?.text ?? null,
      setBy: setter ?? personWithoutRole(userName(setBy)),
      setAt: setAt.toISOString(),
      liftedBy: (liftedBy && persons.get(userName(liftedBy))) || null,
      liftedAt: liftedAt?.toISOString() ?? null,
    });
  }
  return rows;
}

/** The name by which history knows an account. */
export function userName(accountId: string): string {
  return `user:${accountId}`;
}

/** The names of those accounts that there are. */
export function userNames(accountIds: readonly (string | null)[]): string[] {
  return accountIds.filter((accountId) => accountId !== null).map(userName);
}

/** Somebody who is no member any more. */
export function personWithoutRole(name: string): Person {
  return { name, role: null, mark: "person", you: false };
}
