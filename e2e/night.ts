import { randomUUID } from "node:crypto";
import type { BrowserContext } from "@playwright/test";
import { encode } from "next-auth/jwt";
import { sha256Hex } from "@/lib/domain/canonical";
import type { Provider } from "@/lib/providers/port";
import { connect, type Database } from "@/lib/store/db";
import {
  anAccount,
  aRequest,
  type OperationOptions,
  operationIn,
  type TestRequest,
  type TestTenant,
} from "@/lib/testing/factories";
import { letEveryKindRun } from "@/lib/testing/modes";
import { seedConnection } from "@/prisma/demo/connection";
import { demoId } from "@/prisma/demo/people";
import { SandboxControl } from "@/sandbox/control-client";
import { test as base } from "./fixtures";
import { system } from "./system";

const DAY_MS = 86_400_000;

/** An item of the queue with what is behind it at the platform. */
export interface NightItem {
  readonly id: string;
  readonly opId: string;
  readonly ref: string;
  readonly platformRef: string;
  /** What the operation asked for. */
  readonly target: string;
}

/** A tenant of its own at the real sandbox platform. No webhooks reach it, so that only reads tell anything. */
export interface Night {
  readonly slug: string;
  readonly tenant: TestTenant;
  readonly platform: SandboxControl;
  /** Two on-call engineers and an admin, by account id. */
  readonly people: { readonly first: string; readonly second: string; readonly admin: string };
  /** A request that was sent and is open at the platform, for two weeks at least. */
  request(): Promise<TestRequest>;
  /** An operation that waits for a person, on a request that exists at the platform. */
  item(state: "quarantined" | "needs_review", options?: OperationOptions): Promise<NightItem>;
  /** What somebody at the platform does to the request behind an item. */
  setExpiry(item: NightItem, expiresAt: string): Promise<void>;
  signIn(accountId: string, context: BrowserContext): Promise<void>;
  /** What the sandbox has caught for an address. */
  mailsTo(address: string): Promise<readonly { readonly text: string }[]>;
}

interface Fixtures {
  readonly ledger: Database;
  readonly night: Night;
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
  ledger: async ({}, use) => {
    const db = connect(system().databaseUrl, { poolMax: 2 });
    await use(db);
    await db.$disconnect();
  },
  night: async ({ ledger }, use) => {
    await use(await aNight(ledger));
  },
});

async function aNight(ledger: Database): Promise<Night> {
  const slug = `night-${randomUUID().slice(0, 8)}`;
  const id = demoId(`tenant ${slug}`);
  await ledger.tenant.create({ data: { id, slug, name: slug } });
  await letEveryKindRun(ledger, id);
  const { env, sandboxUrl } = system();
  const vaultKey = Buffer.from(env.DEADLINE_LEDGER_VAULT_KEY ?? "", "base64");
  const connection = await seedConnection(ledger, slug, { sandboxUrl, vaultKey });
  const tenant: TestTenant = {
    id,
    slug,
    connectionId: connection.connectionId,
    connectionName: "sbx-1",
    proposerId: await anAccount(ledger, id, "account_manager"),
    approverId: await anAccount(ledger, id, "account_manager"),
  };
  const platform = new SandboxControl(sandboxUrl);
  return {
    slug,
    tenant,
    platform,
    people: {
      first: await anAccount(ledger, id, "on_call"),
      second: await anAccount(ledger, id, "on_call"),
      admin: await anAccount(ledger, id, "admin"),
    },
    request: () => requestAtPlatform(ledger, tenant, connection.provider),
    item: (state, options) => anItem(ledger, tenant, connection.provider, state, options),
    setExpiry: ({ platformRef }, expiresAt) =>
      platform.act(slug, platformRef, { change: "set_expiry", expires_at: expiresAt }),
    signIn: (accountId, context) => signIn(ledger, accountId, context),
    mailsTo: async (address) => {
      const answer = await fetch(`${sandboxUrl}/control/mails?to=${encodeURIComponent(address)}`);
      const { mails } = (await answer.json()) as { mails: { text: string }[] };
      return mails;
    },
  };
}

async function anItem(
  ledger: Database,
  tenant: TestTenant,
  provider: Provider,
  state: "quarantined" | "needs_review",
  options: OperationOptions = {},
): Promise<NightItem> {
  const request = await requestAtPlatform(ledger, tenant, provider);
  const opId = await operationIn(ledger, tenant, request, state, options);
  const item = await ledger.reviewItem.findFirstOrThrow({
    where: { tenantId: tenant.id, opId },
    select: { id: true },
  });
  return {
    id: item.id,
    opId,
    ref: request.ref,
    platformRef: request.platformRef,
    target: new Date(Date.parse(request.expiresAt) + 3 * DAY_MS).toISOString(),
  };
}

async function requestAtPlatform(
  ledger: Database,
  tenant: TestTenant,
  provider: Provider,
): Promise<TestRequest> {
  const expiresAt = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 15 * DAY_MS);
  const sent = await provider.send(
    {
      opId: randomUUID(),
      documentDigest: sha256Hex("a document of the night"),
      templateId: null,
      templateVersion: null,
      title: "Night shift",
      message: "",
      expiresAt: expiresAt.toISOString(),
      remindersByPlatform: false,
      signers: [
        {
          subjectRef: `s_${randomUUID().slice(0, 8)}`,
          role: "signer",
          order: 1,
          name: "Night Signer",
          email: "night@signers.example",
        },
      ],
    },
    { timeoutMs: 10_000 },
  );
  if (sent.kind !== "accepted" || sent.platformRef === null) {
    throw new Error(`the sandbox did not take the request: ${sent.kind}`);
  }
  return aRequest(ledger, tenant, undefined, {
    platformRef: sent.platformRef,
    mirrorStatus: "sent",
    mirrorRawStatus: "sent",
    mirrorExpiresAt: expiresAt,
    businessDeadlineAt: expiresAt,
    mirrorVersion: "1",
    mirrorSigned: 0,
    mirrorSigners: 1,
  }).then(({ ref }) => ({
    ref,
    platformRef: sent.platformRef ?? "",
    expiresAt: expiresAt.toISOString(),
  }));
}

async function signIn(ledger: Database, accountId: string, context: BrowserContext): Promise<void> {
  const sid = randomUUID();
  const expiresAt = new Date(Date.now() + 3_600_000);
  await ledger.session.create({ data: { id: sid, accountId, expiresAt } });
  const { url, env } = system();
  const secret = env.NEXTAUTH_SECRET ?? "";
  const value = await encode({ token: { sub: accountId, sid }, secret });
  await context.addCookies([{ name: "next-auth.session-token", value, url }]);
}
