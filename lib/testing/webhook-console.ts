import type { Child } from "@/workers/launch/child";
import { startProcess } from "./processes";

/** A real process that serves the console's endpoint for webhooks. Whoever starts it ends it. */
export interface WebhookConsole {
  readonly child: Child;
  readonly url: string;
}

/** Starts such a process on this database. */
export async function startWebhookConsole(
  databaseUrl: string,
  vaultKey: Buffer,
): Promise<WebhookConsole> {
  let url = "";
  const child = await startProcess({
    command: process.execPath,
    args: ["--import", "tsx", "lib/testing/serve-webhooks.ts"],
    env: {
      DATABASE_URL: databaseUrl,
      CONSOLE_DATABASE_URL: databaseUrl,
      DEADLINE_LEDGER_VAULT_KEY: vaultKey.toString("base64"),
      NEXTAUTH_SECRET: "s".repeat(32),
      NEXTAUTH_URL: "http://localhost:1",
      LOG_LEVEL: "silent",
    },
    ready: /webhooks_ready/,
    onLine: (line) => {
      url = /webhooks_ready (\S+)/.exec(line)?.[1] ?? url;
    },
  });
  return { child, url };
}
