import { randomBytes } from "node:crypto";
import { DEFAULT_POLICY } from "@/lib/domain/policy";
import type { Provider } from "@/lib/providers/port";
import { createSandboxProvider } from "@/lib/providers/sandbox/client";
import { descriptorOf } from "@/lib/providers/sandbox/descriptor";
import { sandboxProfile } from "@/lib/providers/sandbox/profiles";
import {
  openApiKey,
  openWebhookSecrets,
  sealApiKey,
  sealWebhookSecrets,
} from "@/lib/store/connection-secrets";
import type { Database } from "@/lib/store/db";
import { demoId } from "./people";
import { PlatformControl } from "./platform-control";

export interface DemoSurroundings {
  readonly sandboxUrl: string;
  readonly vaultKey: Buffer;
  /** Where the console is reached; webhooks go there. Without it the platform sends none. */
  readonly webUrl?: string | undefined;
}

export interface DemoConnection {
  readonly tenantId: string;
  readonly connectionId: string;
  /** The account's id at the sandbox platform. */
  readonly account: string;
  readonly provider: Provider;
  readonly control: PlatformControl;
}

const PROFILE = "exact";
const NAME = "sbx-1";

interface Secrets {
  readonly apiKey: string;
  readonly webhookSecret: string;
}

/**
 * The tenant's sandbox connection with its first policies, and the account at the platform that belongs to it. A
 * connection that exists keeps its secrets; its addresses are brought up to date, because ports may change.
 */
export async function seedConnection(
  db: Database,
  slug: string,
  around: DemoSurroundings,
): Promise<DemoConnection> {
  const tenantId = demoId(`tenant ${slug}`);
  const connectionId = demoId(`connection ${slug}`);
  const descriptor = descriptorOf(sandboxProfile(PROFILE));
  const place = { tenantId, connectionId };
  const secrets = (await keptSecrets(db, place, around.vaultKey)) ?? freshSecrets();
  await db.connection.upsert({
    where: { tenantId_id: { tenantId, id: connectionId } },
    create: {
      tenantId,
      id: connectionId,
      name: NAME,
      adapter: "sandbox",
      baseUrl: around.sandboxUrl,
      environment: "sandbox",
      descriptor: JSON.stringify(descriptor),
      owner: "team:admins",
      ...sealed(secrets, place, around.vaultKey),
    },
    update: { baseUrl: around.sandboxUrl },
    select: { id: true },
  });
  await seedPolicies(db, tenantId);
  const control = new PlatformControl(around.sandboxUrl, slug);
  await control.putAccount({
    api_key: secrets.apiKey,
    profile: PROFILE,
    webhook_url: around.webUrl
      ? new URL(`/api/webhooks/${connectionId}`, around.webUrl).href
      : null,
    webhook_secret: around.webUrl ? secrets.webhookSecret : null,
  });
  const provider = createSandboxProvider({
    baseUrl: around.sandboxUrl,
    apiKey: secrets.apiKey,
    descriptor,
  });
  return { ...place, account: slug, provider, control };
}

interface Place {
  readonly tenantId: string;
  readonly connectionId: string;
}

function freshSecrets(): Secrets {
  return {
    apiKey: `sbx_${randomBytes(24).toString("hex")}`,
    webhookSecret: `whsec_${randomBytes(24).toString("base64")}`,
  };
}

function sealed(
  { apiKey, webhookSecret }: Secrets,
  { tenantId, connectionId }: Place,
  key: Buffer,
) {
  return {
    apiKeySealed: sealApiKey(key, tenantId, connectionId, apiKey),
    webhookSecretsSealed: sealWebhookSecrets(key, tenantId, connectionId, [
      { keyId: "k1", secret: webhookSecret },
    ]),
  };
}

async function keptSecrets(
  db: Database,
  { tenantId, connectionId }: Place,
  key: Buffer,
): Promise<Secrets | null> {
  const row = await db.connection.findUnique({
    where: { tenantId_id: { tenantId, id: connectionId } },
    select: { apiKeySealed: true, webhookSecretsSealed: true },
  });
  if (row === null) return null;
  const [first] = openWebhookSecrets(key, tenantId, connectionId, row.webhookSecretsSealed);
  if (!first) throw new Error("the demo connection has lost its webhook secret");
  return {
    apiKey: openApiKey(key, tenantId, connectionId, row.apiKeySealed),
    webhookSecret: first.secret,
  };
}

async function seedPolicies(db: Database, tenantId: string): Promise<void> {
  const body = JSON.stringify(DEFAULT_POLICY);
  await db.policy.createMany({
    data: ["extend", "send"].map((kind) => ({ tenantId, kind, version: 1, body })),
    skipDuplicates: true,
  });
}
