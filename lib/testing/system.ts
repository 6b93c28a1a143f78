import { randomBytes } from "node:crypto";
import { appendFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { migrate } from "@/prisma/migrate";
import { type Child, startChild } from "@/workers/launch/child";
import { consoleLogin, dropConsoleLogin } from "@/workers/launch/console-login";
import { demoAuthority } from "@/workers/launch/demo-authority";
import { type Part, partArguments, partEnvironment } from "@/workers/launch/parts";
import { freePort } from "@/workers/launch/ports";
import { untilServing } from "@/workers/launch/ready";
import { projectRoot } from "@/workers/launch/root";
import { seedDemo } from "@/workers/launch/seed";
import { blankDatabase, cloneDatabase, type DatabaseServer } from "./database-server";
import { startIdentityProvider, type TestIdentityProvider } from "./identity-provider";

/** What a test needs to reach the real processes; plain data, so that it passes from process to process. */
export interface System {
  url: string;
  sandboxUrl: string;
  databaseUrl: string;
  sandboxDatabaseUrl: string;
  /** Holds what each part printed so far, `<part>.log`. */
  logFolder: string;
  /** The environment of the parts, for a test that starts one more worker. */
  env: Record<string, string>;
}

export interface RunningSystem extends System {
  children: Child[];
  /** Stops the processes and drops the two databases. */
  close(): Promise<void>;
}

const READY_TIMEOUT_MS = 60_000;

/**
 * The product as it is run: sandbox platform, worker and built console as processes of their own, on free
 * ports and fresh databases with the demo tenants in them. The console must be built before.
 */
export async function startSystem(
  server: DatabaseServer,
  parts: readonly Part[] = ["sandbox", "worker", "web"],
): Promise<RunningSystem> {
  const [ledger, platform] = [await cloneDatabase(server), await blankDatabase(server)];
  const ports = { web: await freePort(), sandbox: await freePort(), mail: await freePort() };
  const around = surroundings(ledger.url, platform.url, ports);
  const consoleDatabaseUrl = await consoleLogin(ledger.url, around.nextAuthSecret);
  const started = partEnvironment({ ...around, consoleDatabaseUrl }, {});
  const identity = parts.includes("web")
    ? await startIdentityProvider(started.NEXTAUTH_URL ?? "")
    : null;
  const env: Record<string, string> = {
    ...started,
    ...(identity && identityEnvironment(identity)),
  };
  const folder = await mkdtemp(path.join(tmpdir(), "system-"));
  const children: Child[] = [];
  const close = async () => {
    for (const child of [...children].reverse()) await child.stop();
    await identity?.close();
    await rm(folder, { recursive: true });
    await dropConsoleLogin(ledger.url);
    await Promise.all([ledger.close(), platform.close()]);
  };
  try {
    await migrate(ledger.url);
    for (const part of ["sandbox", "worker", "web"] as const) {
      if (!parts.includes(part)) continue;
      children.push(await startPart(part, env, ports, folder));
      if (part !== "sandbox") continue;
      await seedDemo(env);
      Object.assign(env, await demoAuthority(env.SANDBOX_URL ?? "", folder, {}));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { ...reachable(env, ledger.url, platform.url), logFolder: folder, children, close };
}

function surroundings(
  databaseUrl: string,
  sandboxDatabaseUrl: string,
  ports: { web: number; sandbox: number; mail: number },
) {
  return {
    databaseUrl,
    sandboxDatabaseUrl,
    webPort: ports.web,
    sandboxPort: ports.sandbox,
    mailPort: ports.mail,
    vaultKey: randomBytes(32).toString("base64"),
    nextAuthSecret: randomBytes(32).toString("base64"),
  };
}

/** Asked again on every request, so that a test sees at once what the provider decided. */
function identityEnvironment({ issuer, clientId, clientSecret }: TestIdentityProvider) {
  return {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_NAME: "North",
    OIDC_RECHECK_SECONDS: "0",
  };
}

function reachable(
  env: Record<string, string>,
  databaseUrl: string,
  sandboxDatabaseUrl: string,
): Omit<System, "logFolder"> {
  const { NEXTAUTH_URL: url = "", SANDBOX_URL: sandboxUrl = "" } = env;
  return { url, sandboxUrl, databaseUrl, sandboxDatabaseUrl, env };
}

async function startPart(
  part: Part,
  env: Record<string, string>,
  ports: { web: number; sandbox: number },
  logFolder: string,
): Promise<Child> {
  const log = path.join(logFolder, `${part}.log`);
  const child = startPartProcess(part, env, (line) => appendFileSync(log, `${line}\n`));
  try {
    await untilServing(child, part, ports, READY_TIMEOUT_MS);
  } catch (error) {
    await child.stop(1_000);
    throw error;
  }
  return child;
}

/**
 * Starts one more process of a part, without waiting for it: a second worker, or one with another
 * environment. Whoever starts it stops it.
 */
export function startPartProcess(
  part: Part,
  env: Record<string, string>,
  onLine?: (line: string) => void,
): Child {
  return startChild({
    name: part,
    command: process.execPath,
    args: partArguments(part, Number(env.PORT)),
    cwd: projectRoot,
    env: { ...process.env, ...env },
    ...(onLine ? { onLine } : {}),
  });
}
