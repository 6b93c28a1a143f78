import { createHmac } from "node:crypto";
import { installationKey } from "@/lib/store/installation-keys";
import { keysOf } from "@/lib/store/vault-cipher";
import type { ConsoleContext } from "./context";

/** A keyed hash of what a provider calls somebody or a session, so that neither stands in the database (PV-4). */
export interface IdentityMarks {
  /** What is written from now on. */
  readonly present: string;
  /** Everything under which it may stand: marks were once made with the vault key itself. */
  readonly all: readonly string[];
}

/** The marks of a provider's name for somebody or a session. They do not change when the vault key is replaced. */
export async function identityMarks(
  { db, vaultKey }: Pick<ConsoleContext, "db" | "vaultKey">,
  what: "subject" | "session",
  text: string,
): Promise<IdentityMarks> {
  const own = await installationKey(db, vaultKey, "identity_marks");
  const [present = "", ...earlier] = [own, ...keysOf(vaultKey)].map((key) =>
    createHmac("sha256", key).update(`identity ${what}\n${text}`).digest("base64url"),
  );
  return { present, all: [present, ...earlier] };
}
