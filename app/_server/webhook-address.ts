import { consoleEnv } from "@/lib/runtime/env";

/** Where a platform delivers the events of a connection (IN-1), by the origin at which the console is reached. */
export function webhookAddress(connectionId: string): string {
  return new URL(`/api/webhooks/${connectionId}`, consoleEnv().NEXTAUTH_URL).href;
}
