import { databaseAnswers } from "@/lib/queries/readiness";
import { consoleContext } from "@/lib/runtime/console";
import { describeError } from "@/lib/runtime/log";

/** 200 while requests can be served, 503 while the database cannot be used. */
export async function GET(): Promise<Response> {
  const headers = { "cache-control": "no-store" };
  const { db, log } = consoleContext();
  try {
    await databaseAnswers(db);
    return Response.json({ status: "ready" }, { headers });
  } catch (error) {
    log.warn({ event: "not_ready", error: describeError(error) });
    return Response.json({ status: "not_ready" }, { status: 503, headers });
  }
}
