import { hash, verify } from "@node-rs/argon2";
import { Refusal } from "@/lib/domain/refusal";
import { passwordOf, savePassword } from "@/lib/store/accounts";
import type { ConsoleContext } from "./context";
import { countTry, PASSWORD_HASHING, PASSWORD_LENGTH_MAX } from "./sign-in";

/** Shorter ones are guessed. */
const PASSWORD_LENGTH_MIN = 12;

/**
 * Replaces a person's own password; a starting password gets no end from then on (PV-1). Tries count like those of
 * signing in. Throws Refusal `too_many_tries`, `password_wrong`, `password_short`, also `password_wrong` for an
 * account without a password here.
 */
export async function changePassword(
  ctx: ConsoleContext,
  { accountId, login }: { readonly accountId: string; readonly login: string },
  change: { readonly present: string; readonly next: string },
): Promise<void> {
  if ([...change.next].length < PASSWORD_LENGTH_MIN || change.next.length > PASSWORD_LENGTH_MAX) {
    throw new Refusal("password_short", { values: { n: PASSWORD_LENGTH_MIN } });
  }
  const seconds = await countTry(ctx, { login, source: `account:${accountId}` });
  if (seconds !== null) throw new Refusal("too_many_tries", { values: { n: seconds } });
  const present = await passwordOf(ctx.db, accountId);
  if (present === null || !(await verify(present, change.present))) {
    throw new Refusal("password_wrong");
  }
  await savePassword(ctx.db, accountId, await hash(change.next, PASSWORD_HASHING));
  ctx.log.info({ event: "password_changed", actor: `user:${accountId}` });
}
