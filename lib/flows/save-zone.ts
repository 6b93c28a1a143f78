import { isZone } from "@/lib/domain/zone";
import { saveZone as store } from "@/lib/store/accounts";
import type { ConsoleContext } from "./context";

/** Saves the zone that a person calls "my zone". False for a name that is no zone; nothing changes then. */
export async function saveZone(
  ctx: ConsoleContext,
  accountId: string,
  zone: string,
): Promise<boolean> {
  if (!isZone(zone)) return false;
  await store(ctx.db, accountId, zone);
  return true;
}
