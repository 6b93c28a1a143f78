import { randomUUID } from "node:crypto";
import type { BrowserContext } from "@playwright/test";
import { encode } from "next-auth/jwt";
import { sha256Hex } from "@/lib/domain/canonical";
import type { Log } from "@/lib/flows/context";
import { proposeSend } from "@/lib/flows/propose-send";
import type { Provider } from "@/lib/providers/port";
import { descriptorOf } from "@/lib/providers/sandbox/descriptor";
import { sandboxProfile } from "@/lib/providers/sandbox/profiles";
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
import { wishOf } from "@/lib/testing/workshop";
import { seedConnection } from "@/prisma/demo/connection";
import { demoId } from "@/prisma/demo/people";
import { SandboxControl } from "@/sandbox/control-client";
import { test as base } from "./fixtures";
import { system } from "./system";

const DAY_MS = 86_400_000;

const SILENT: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** An item of the queue with what is behind it at the platform. */
export interface NightItem {
  readonly id: string;
  readonly opId: string;
  readonly ref: string;
  readonly platformRef: string;
  /** What the operation asked for. */
  readonly target: string;
}

/** An item about a send, with what the platform made of it. */
interface NightSend {
  readonly id: string;
  readonly opId: string;
  readonly platformRefs: readonly string[];
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
  /** A send that waits for a person, after the platform carried it out so many times. */
  sentItem(reason: string, times: number): Promise<NightSend>;
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

/** From now on the tenant's platform cannot be searched by our reference, as far as we know (PL-2). */
export async function notSearchable(ledger: Database, { tenant }: Night): Promise<void> {
  const where = { tenantId_id: { tenantId: tenant.id, id: tenant.connectionId } };
  const descriptor = JSON.stringify(descriptorOf(sandboxProfile("no_lookup")));
  await ledger.connection.update({ where, data: { descriptor } });
}

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
    sentItem: (reason, times) =>
      aSentItem(ledger, tenant, { provider: connection.provider, vaultKey, reason, times }),
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

async function aSentItem(
  ledger: Database,
  tenant: TestTenant,
  how: {
    readonly provider: Provider;
    readonly vaultKey: Buffer;
    readonly reason: string;
    readonly times: number;
  },
): Promise<NightSend> {
  const { id: tenantId, proposerId: id, connectionId } = tenant;
  const actor = { tenantId, kind: "user", id, role: "account_manager", scopes: [] } as const;
  const ref = `night_${randomUUID().slice(0, 8)}`;
  const expiresAt = inTwoWeeks();
  const proposed = await proposeSend({ db: ledger, vaultKey: how.vaultKey, log: SILENT }, actor, {
    approvalId: randomUUID(),
    requestRef: ref,
    connectionId,
    documents: [{ digest: sha256Hex("a document of the night"), version: 1 }],
    signers: [{ name: "Night Signer", email: "night@signers.example", role: "signer", order: 1 }],
    title: "Night shift",
    ...wishOf(expiresAt),
    reminders: { owner: "application", intervalDays: null },
  });
  const { canonicalText } = await ledger.operation.findUniqueOrThrow({
    where: { tenantId_opId: { tenantId, opId: proposed.opId } },
  });
  const request: TestRequest = { ref, platformRef: "", expiresAt };
  const opId = await operationIn(ledger, tenant, request, "needs_review", {
    kind: "send",
    reason: how.reason,
    payload: canonicalText,
  });
  const platformRefs: string[] = [];
  for (let sent = 0; sent < how.times; sent += 1) {
    platformRefs.push(await sendAtPlatform(how.provider, opId, expiresAt));
  }
  const item = await ledger.reviewItem.findFirstOrThrow({ where: { tenantId, opId } });
  return { id: item.id, opId, platformRefs };
}

/** On a full hour, as every platform shows it. */
function inTwoWeeks(): string {
  return new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 15 * DAY_MS).toISOString();
}

async function requestAtPlatform(
  ledger: Database,
  tenant: TestTenant,
  provider: Provider,
): Promise<TestRequest> {
  const expiresAt = inTwoWeeks();
  const platformRef = await sendAtPlatform(provider, randomUUID(), expiresAt);
  const at = new Date(expiresAt);
  const { ref } = await aRequest(ledger, tenant, undefined, {
    platformRef,
    mirrorStatus: "sent",
    mirrorRawStatus: "sent",
    mirrorExpiresAt: at,
    businessDeadlineAt: at,
    mirrorVersion: "1",
    mirrorSigned: 0,
    mirrorSigners: 1,
  });
  return { ref, platformRef, expiresAt };
}

/** Sends one request at the platform with this operation's reference; returns the platform's own. */
async function sendAtPlatform(
  provider: Provider,
  opId: string,
  expiresAt: string,
): Promise<string> {
  const sent = await provider.send(
    {
      opId,
      documentDigest: sha256Hex("a document of the night"),
      templateId: null,
      templateVersion: null,
      title: "Night shift",
      message: "",
      expiresAt,
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
  return sent.platformRef;
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
