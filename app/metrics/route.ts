import { consoleMetrics, consoleScrape } from "@/lib/runtime/console";
import { consoleEnv } from "@/lib/runtime/env";
import { isLocalHost, isLoopback, mayScrape } from "@/lib/runtime/metrics-access";

/** What Prometheus reads of this web process (OP-1): with a token where one is set, else from this machine only. */
export async function GET(request: Request): Promise<Response> {
  const { METRICS_TOKEN: token, NEXTAUTH_URL: origin } = consoleEnv();
  if (!mayScrape(token, request.headers.get("authorization"), isFromHere(request, origin))) {
    return new Response(null, { status: 401, headers: { "www-authenticate": "Bearer" } });
  }
  return new Response(await consoleScrape(), {
    headers: { "content-type": consoleMetrics().contentType, "cache-control": "no-store" },
  });
}

/**
 * A route does not see the socket. An installation with a public address stands behind a proxy, whose own address says
 * nothing; there a token is needed. In a local one every hop that is named must be this machine.
 */
function isFromHere(request: Request, origin: string): boolean {
  const { headers } = request;
  const hops = (headers.get("x-forwarded-for") ?? "").split(",").map((hop) => hop.trim());
  return (
    isLocalHost(new URL(origin).host) &&
    isLocalHost(headers.get("host") ?? "") &&
    headers.get("forwarded") === null &&
    hops.every((hop) => hop === "" || isLoopback(hop))
  );
}
