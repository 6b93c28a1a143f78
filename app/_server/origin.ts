import type { NextRequest } from "next/server";
import { Refusal } from "@/lib/domain/refusal";
import { consoleEnv } from "@/lib/runtime/env";

/**
 * Refuses a write that another site's page caused (PV-6). Browsers name the origin of every write; a call by
 * cookie without that name is refused as well. A caller with a bearer token has no cookie to be misused and may
 * leave the header out, but may not name a foreign one.
 */
export function refuseForeignOrigin(request: NextRequest, byCookie: boolean): void {
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  const own = origin !== null && isOwn(origin);
  const foreign = (origin !== null && !own) || (site !== null && site !== "same-origin");
  if (foreign || (byCookie && !own)) throw new Refusal("foreign_origin");
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** The console's own origin. This machine has several names; a demo may be opened under any of them. */
function isOwn(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const [given, own] = [new URL(origin), new URL(consoleEnv().NEXTAUTH_URL)];
  if (given.origin === own.origin) return true;
  const sameDoor = given.protocol === own.protocol && given.port === own.port;
  return sameDoor && LOOPBACK.has(given.hostname) && LOOPBACK.has(own.hostname);
}
