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
  const own = origin !== null && origin === new URL(consoleEnv().NEXTAUTH_URL).origin;
  const foreign = (origin !== null && !own) || (site !== null && site !== "same-origin");
  if (foreign || (byCookie && !own)) throw new Refusal("foreign_origin");
}
