/** The process is up and answers. Says nothing about the database: see `/ready`. */
export function GET(): Response {
  return Response.json({ status: "up" }, { headers: { "cache-control": "no-store" } });
}
