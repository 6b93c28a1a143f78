import { z } from "zod";
import { endProviderSessions } from "@/lib/flows/end-provider-sessions";
import { consoleContext } from "@/lib/runtime/console";
import { identityProvider } from "@/lib/runtime/identity";

/** A logout token is a few hundred characters; nothing longer is read. */
const TOKEN_LENGTH_MAX = 8_000;
const FormSchema = z.object({ logout_token: z.string().min(1).max(TOKEN_LENGTH_MAX) });

/**
 * The provider tells that it has signed somebody out (OpenID Connect Back-Channel Logout 1.0, 2.5). Authentic by the
 * token's signature alone; it comes from the provider's server, so it carries neither cookie nor origin.
 */
export async function POST(request: Request): Promise<Response> {
  const provider = identityProvider();
  if (provider === null) return answer(404);
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  if (!(length <= TOKEN_LENGTH_MAX + 100)) return answer(400);
  const form = FormSchema.safeParse(Object.fromEntries(new URLSearchParams(await request.text())));
  if (!form.success) return answer(400);
  const ended = await endProviderSessions(consoleContext(), provider, form.data.logout_token);
  return answer(ended ? 200 : 400);
}

function answer(status: number): Response {
  return new Response(null, { status, headers: { "cache-control": "no-store" } });
}
