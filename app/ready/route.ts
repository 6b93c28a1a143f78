import { readiness } from "@/lib/queries/readiness";
import { broughtMigrations } from "@/lib/runtime/brought-migrations";
import { consoleContext } from "@/lib/runtime/console";
import { describeError } from "@/lib/runtime/log";

/** 200 while requests can be served; 503 while the database does not answer or lacks migrations of this build. */
export async function GET(): Promise<Response> {
  const { db, log } = consoleContext();
  try {
    const status = await readiness(db, broughtMigrations());
    return answer(status === "ready" ? 200 : 503, status);
  } catch (error) {
    log.warn({ event: "not_ready", error: describeError(error) });
    return answer(503, "database_unreachable");
  }
}

function answer(code: number, status: string): Response {
  return Response.json({ status }, { status: code, headers: { "cache-control": "no-store" } });
}
