import type { Db } from "@/lib/store/db";
import { freeReplacements, holdReplacements, type ReplacementScope } from "@/lib/store/successions";

/**
 * Says for approved replacements what the end of what they replace means to them (ID-7): they go to a person, or go
 * on without the void. Returns how many moved.
 */
export async function settleReplacements(db: Db, scope: ReplacementScope): Promise<number> {
  return (await holdReplacements(db, scope)) + (await freeReplacements(db, scope));
}
