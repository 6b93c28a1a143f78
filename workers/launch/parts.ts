import path from "node:path";
import { projectRoot } from "./root";

export type Part = "web" | "worker" | "sandbox";

/** What the parts need to find and trust each other. */
export interface Surroundings {
  databaseUrl: string;
  /** The ledger's database for the console's own login (PV-2). */
  consoleDatabaseUrl: string;
  sandboxDatabaseUrl: string;
  webPort: number;
  sandboxPort: number;
  /** Where the sandbox catches mails; without it mail is off unless the caller names a server. */
  mailPort?: number;
  /** Where the worker answers those who watch it; any free port when left out. */
  workerPort?: number;
  vaultKey: string;
  oldVaultKeys?: readonly string[];
  nextAuthSecret: string;
}

/** Where the web listens: this machine only, unless somebody asks for more. */
export const webHost = () => process.env.HOST ?? "127.0.0.1";

export const webUrl = (port: number, outer: Outer = process.env) =>
  outer.NEXTAUTH_URL ?? `http://localhost:${port}`;

type Outer = Record<string, string | undefined>;

/** The environment of every part. What the caller's own environment says wins over the demo's secrets. */
export function partEnvironment(
  around: Surroundings,
  outer: Outer = process.env,
): Record<string, string> {
  return {
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    DATABASE_URL: around.databaseUrl,
    CONSOLE_DATABASE_URL: outer.CONSOLE_DATABASE_URL ?? around.consoleDatabaseUrl,
    SANDBOX_DATABASE_URL: around.sandboxDatabaseUrl,
    SANDBOX_PORT: String(around.sandboxPort),
    SANDBOX_URL: outer.SANDBOX_URL ?? `http://127.0.0.1:${around.sandboxPort}`,
    // The demo's subscriber is the sandbox's receiver, which is on this machine.
    OUTBOX_ALLOWED_HOSTS: outer.OUTBOX_ALLOWED_HOSTS ?? `127.0.0.1:${around.sandboxPort}`,
    ...mailEnvironment(around, outer),
    PORT: String(around.webPort),
    WORKER_PORT: String(around.workerPort ?? 0),
    NEXTAUTH_URL: webUrl(around.webPort, outer),
    NEXTAUTH_SECRET: outer.NEXTAUTH_SECRET ?? around.nextAuthSecret,
    DEADLINE_LEDGER_VAULT_KEY: outer.DEADLINE_LEDGER_VAULT_KEY ?? around.vaultKey,
    DEADLINE_LEDGER_OLD_VAULT_KEYS:
      outer.DEADLINE_LEDGER_OLD_VAULT_KEYS ?? (around.oldVaultKeys ?? []).join(","),
  };
}

/** The caller's own mail server; in the demo the sandbox's, which catches mails and sends none on. */
function mailEnvironment({ mailPort }: Surroundings, outer: Outer): Record<string, string> {
  const { SMTP_URL, MAIL_FROM } = outer;
  if (SMTP_URL !== undefined)
    return { SMTP_URL, ...(MAIL_FROM === undefined ? {} : { MAIL_FROM }) };
  if (mailPort === undefined) return {};
  return {
    SANDBOX_MAIL_PORT: String(mailPort),
    SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
    MAIL_FROM: MAIL_FROM ?? "deadline-ledger@demo.invalid",
  };
}

/** The arguments for Node that run a part from the project's folder. */
export function partArguments(part: Part, webPort: number): string[] {
  const typescript = ["--import", "tsx"];
  switch (part) {
    case "web": {
      const next = path.join(projectRoot, "node_modules/next/dist/bin/next");
      return [next, "start", "--hostname", webHost(), "--port", String(webPort)];
    }
    case "worker":
      return [...typescript, "workers/main.ts"];
    case "sandbox":
      return [...typescript, "sandbox/main.ts"];
  }
}
