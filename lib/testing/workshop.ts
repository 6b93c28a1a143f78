import { randomUUID } from "node:crypto";
import { type Bounds, DEFAULT_BOUNDS } from "@/lib/domain/bounds";
import { instantOf } from "@/lib/domain/zone";
import { approve } from "@/lib/flows/approve";
import { claimDueLooks, claimDueWork } from "@/lib/flows/claim-work";
import type { Actor } from "@/lib/flows/context";
import { executeClaim } from "@/lib/flows/execute";
import { lastLooks } from "@/lib/flows/last-look";
import { proposeExtension } from "@/lib/flows/propose-extension";
import { reconcileClaim } from "@/lib/flows/reconcile";
import { sweep } from "@/lib/flows/sweep";
import type { WorkerContext } from "@/lib/flows/worker-context";
import { providerFor } from "@/lib/providers/registry";
import type { SandboxProfileName } from "@/lib/providers/sandbox/profiles";
import { createSleepClock } from "@/lib/runtime/sleep-clock";
import { openApiKey, sealApiKey, sealWebhookSecrets } from "@/lib/store/connection-secrets";
import { asTenant, connect, type Database } from "@/lib/store/db";
import { mirrorRead } from "@/lib/store/mirror";
import { storeReceipt } from "@/lib/store/receipts";
import { enterWorker } from "@/lib/store/workers";
import type { LoggedEffect } from "@/sandbox/effects";
import type { TestDatabase } from "./database-server";
import { type TestAccount, type TestSandbox, testSandbox } from "./sandbox";
import { aMember, aTenant, letters, type TestLedger, type TestTenant, testLedger } from "./tenants";

/** Bounds that let a test see the end of an unknown within seconds. */
export const QUICK_BOUNDS: Bounds = {
  ...DEFAULT_BOUNDS,
  lookBackoffMs: 50,
  lookBackoffMaxMs: 200,
};

export const WEBHOOK_SECRET = "whsec_b3Blbi1jYXNlLXNpZ25pbmcta2V5LTAwMQ==";

/** A ledger, a sandbox platform and worker contexts on both: everything real but in one process. */
export interface Workshop {
  readonly ledger: TestLedger;
  readonly sandbox: TestSandbox;
  /** A tenant of its own with an account at the platform of this profile. */
  tenant(profile: SandboxProfileName, settings?: ConnectionSettings): Promise<ShopTenant>;
  /** A worker of its own; without a session, so that RC-9 sees it as dead. */
  worker(changes?: Partial<WorkerContext>): Promise<WorkerContext>;
  close(): Promise<void>;
}

export interface ConnectionSettings {
  readonly callTimeoutMs?: number;
  readonly leaseMs?: number;
}

export interface ShopTenant extends TestTenant {
  readonly account: TestAccount;
  readonly proposer: Actor;
  readonly approver: Actor;
}

/**
 * `database` is a migrated one that the caller brings, for tests that stop its server; benches, which no test runner
 * serves, bring the sandbox's empty one too.
 */
export async function openWorkshop(
  database?: TestDatabase,
  sandboxDatabase?: TestDatabase,
): Promise<Workshop> {
  const [ledger, sandbox] = await Promise.all([testLedger(database), testSandbox(sandboxDatabase)]);
  const workerDb = connect(ledger.url, { role: "deadline_worker", poolMax: 20 });
  const owner = connect(ledger.url, { poolMax: 10 });
  return {
    ledger,
    sandbox,
    tenant: (profile, settings) => shopTenant(ledger, sandbox, profile, settings),
    worker: (changes) => shopWorker(ledger, owner, workerDb, changes),
    close: async () => {
      await Promise.all([workerDb.$disconnect(), owner.$disconnect()]);
      await Promise.all([ledger.close(), sandbox.close()]);
    },
  };
}

async function shopTenant(
  ledger: TestLedger,
  sandbox: TestSandbox,
  profile: SandboxProfileName,
  settings: ConnectionSettings = {},
): Promise<ShopTenant> {
  const tenant = await aTenant(ledger.owner, profile);
  const account = await sandbox.account(profile);
  const { tenantId, connectionId } = tenant;
  const { vaultKey } = ledger.ctx;
  await ledger.owner.connection.update({
    where: { tenantId_id: { tenantId, id: connectionId } },
    data: {
      baseUrl: sandbox.url,
      apiKeySealed: sealApiKey(vaultKey, tenantId, connectionId, account.apiKey),
      webhookSecretsSealed: sealWebhookSecrets(vaultKey, tenantId, connectionId, [
        { keyId: "k1", secret: WEBHOOK_SECRET },
      ]),
      // Half of what a delayed answer takes, and long for one that nothing delays: also on a busy machine.
      callTimeoutMs: settings.callTimeoutMs ?? 1_500,
      leaseMs: settings.leaseMs ?? 4_000,
    },
  });
  const [proposer, approver] = [
    await aMember(ledger.owner, tenantId),
    await aMember(ledger.owner, tenantId),
  ];
  return { ...tenant, account, proposer, approver };
}

async function shopWorker(
  ledger: TestLedger,
  owner: Database,
  db: Database,
  changes: Partial<WorkerContext> = {},
): Promise<WorkerContext> {
  const id = randomUUID();
  const name = changes.worker?.name ?? `w-${id.slice(0, 6)}`;
  const { vaultKey, log } = ledger.ctx;
  await enterWorker(owner, {
    id,
    name,
    build: "test",
    sessionKey: BigInt(Math.floor(Math.random() * 2 ** 50)),
  });
  return {
    owner,
    db,
    clock: createSleepClock(),
    vaultKey,
    providerOf: (connection) => {
      const { tenantId, id: connectionId, apiKeySealed } = connection;
      const apiKey = openApiKey(vaultKey, tenantId, connectionId, apiKeySealed);
      return providerFor({ ...connection, apiKey });
    },
    bounds: QUICK_BOUNDS,
    chance: () => 0.5,
    log,
    ...changes,
    worker: { id, name },
  };
}

/** A request that really exists at the platform, with the mirror of a read of it. */
export async function aRealRequest(
  { ledger }: Workshop,
  tenant: ShopTenant,
  expiresAt: string,
): Promise<{ readonly ref: string; readonly platformRef: string; readonly receiptId: string }> {
  const { tenantId, connectionId, account } = tenant;
  const ref = `req_${letters()}`;
  const sent = await account.provider.send(
    {
      opId: randomUUID(),
      documentDigest: "d".repeat(64),
      templateId: null,
      templateVersion: null,
      title: "A contract",
      message: "",
      expiresAt,
      remindersByPlatform: false,
      signers: [
        { subjectRef: "s_one", role: "signer", order: 1, name: "Pat", email: "pat@sign.invalid" },
      ],
    },
    { timeoutMs: 5_000 },
  );
  if (sent.kind !== "accepted" || sent.platformRef === null) throw new Error(`sent: ${sent.kind}`);
  const { platformRef } = sent;
  await ledger.owner.request.create({
    data: { tenantId, ref, connectionId, platformRef, zone: "Europe/Berlin" },
  });
  return { ref, platformRef, receiptId: await mirrorNow({ ledger }, tenant, ref, platformRef) };
}

/** Reads the platform and writes receipt and mirror, as opening a page would. Returns the receipt's id. */
export async function mirrorNow(
  { ledger }: Pick<Workshop, "ledger">,
  { tenantId, connectionId, account }: ShopTenant,
  ref: string,
  platformRef: string,
): Promise<string> {
  const observation = await account.provider.readRequest(platformRef, { timeoutMs: 5_000 });
  if (observation.kind !== "read") throw new Error(`the platform answered: ${observation.kind}`);
  const [request] = observation.matches;
  if (!request) throw new Error("the platform does not show the request");
  return asTenant(ledger.owner, tenantId, async (tx) => {
    const [now] = await tx.$queryRaw<{ now: Date }[]>`SELECT ledger_now() AS now`;
    const startedAt = now?.now ?? new Date();
    const receiptId = await storeReceipt(tx, tenantId, {
      requestRef: ref,
      connectionId,
      opId: null,
      fence: null,
      purpose: "page",
      observation,
      startedAt,
    });
    await mirrorRead(tx, tenantId, ref, { request, receiptId, startedAt, isFinal: false });
    return receiptId;
  });
}

/** An instant of whole minutes as the form takes it, in UTC. */
export function wishOf(instant: string): { date: string; time: string; zone: string } {
  return { date: instant.slice(0, 10), time: instant.slice(11, 16), zone: "UTC" };
}

/** `days` from now on the full hour: a deadline that every platform can express. */
export function inDays(days: number): string {
  const at = Date.now() + days * 86_400_000;
  return instantOf(at - (at % 3_600_000));
}

/** An extension that was proposed by one person and approved by another. Returns its op_id. */
export async function anApprovedExtension(
  { ledger }: Workshop,
  tenant: ShopTenant,
  request: { readonly ref: string; readonly receiptId: string },
  target: string,
  supersedesOpId: string | null = null,
): Promise<string> {
  const { opId } = await proposeExtension(ledger.ctx, tenant.proposer, {
    approvalId: randomUUID(),
    requestRef: request.ref,
    ...wishOf(target),
    reason: "The counterparty needs more time.",
    supersedesOpId,
  });
  await approveNow({ ledger }, tenant, opId, request.receiptId);
  return opId;
}

/** Approves the present version of a proposal as the tenant's approver. */
export async function approveNow(
  { ledger }: Pick<Workshop, "ledger">,
  tenant: ShopTenant,
  opId: string,
  receiptId: string | null,
): Promise<void> {
  const { version, payloadHash } = await operationOf({ ledger }, tenant, opId);
  await approve(ledger.ctx, tenant.approver, { opId, version, hash: payloadHash, receiptId });
}

/** The operation's row as it is now. */
export function operationOf(
  { ledger }: Pick<Workshop, "ledger">,
  { tenantId }: TestTenant,
  opId: string,
) {
  return ledger.owner.operation.findUniqueOrThrow({ where: { tenantId_opId: { tenantId, opId } } });
}

/** What the platform really did for this client reference or request: the ground truth (SB-3). */
export function effectsOf(
  { sandbox }: Workshop,
  { account }: ShopTenant,
  filter: { clientReference?: string; requestId?: string; kind?: string },
): Promise<LoggedEffect[]> {
  return sandbox.control.effects(account.id, filter);
}

/** One round of everything a worker does; returns how much it did. */
export async function oneRound(worker: WorkerContext): Promise<number> {
  const swept = await sweep(worker);
  const work = await claimDueWork(worker, 8);
  await Promise.all(work.map((hand) => executeClaim(worker, hand)));
  const looks = await claimDueLooks(worker, 8);
  await Promise.all(looks.map((hand) => reconcileClaim(worker, hand)));
  return swept + work.length + looks.length + (await lastLooks(worker));
}
