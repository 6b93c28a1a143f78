import { randomBytes, randomUUID } from "node:crypto";
import type { Role } from "@/lib/domain/role";
import type { Actor, ConsoleContext } from "@/lib/flows/context";
import { descriptorOf } from "@/lib/providers/sandbox/descriptor";
import { SANDBOX_PROFILES, type SandboxProfileName } from "@/lib/providers/sandbox/profiles";
import { connect, type Database } from "@/lib/store/db";
import { testDatabase } from "./database";
import type { TestDatabase } from "./database-server";
import { letEveryKindRun } from "./modes";
import { watchedLog } from "./watched-log";

export interface TestLedger {
  readonly url: string;
  /** As the schema's owner, for arranging and looking; sees every tenant. */
  readonly owner: Database;
  /** What the console gets: the role `deadline_console`. */
  readonly ctx: ConsoleContext;
  close(): Promise<void>;
}

/** A migrated database with a console's context on it; one of its own unless given. */
export async function testLedger(database?: TestDatabase): Promise<TestLedger> {
  const { url, close } = database ?? (await testDatabase());
  const owner = connect(url, { poolMax: 4 });
  const db = connect(url, { role: "deadline_console", poolMax: 20 });
  const { log, refuseLeaks } = watchedLog();
  return {
    url,
    owner,
    ctx: { db, vaultKey: randomBytes(32), log },
    close: async () => {
      await Promise.all([owner.$disconnect(), db.$disconnect()]);
      await close();
      refuseLeaks();
    },
  };
}

export interface TestTenant {
  readonly tenantId: string;
  readonly slug: string;
  readonly connectionId: string;
}

/** A tenant with one sandbox connection whose descriptor is that of the profile. */
export async function aTenant(
  owner: Database,
  profile: SandboxProfileName = "exact",
): Promise<TestTenant> {
  const tenantId = randomUUID();
  const slug = `t-${randomBytes(5).toString("hex")}`;
  const connectionId = randomUUID();
  const descriptor = JSON.stringify(descriptorOf(SANDBOX_PROFILES[profile]));
  await owner.tenant.create({ data: { id: tenantId, slug, name: slug } });
  await letEveryKindRun(owner, tenantId);
  await owner.connection.create({
    data: {
      tenantId,
      id: connectionId,
      name: "sbx-1",
      adapter: "sandbox",
      baseUrl: "http://127.0.0.1:1",
      environment: "sandbox",
      apiKeySealed: "none",
      webhookSecretsSealed: "none",
      descriptor,
      owner: "team:admins",
    },
  });
  return { tenantId, slug, connectionId };
}

/** A person who is a member of the tenant. */
export async function aMember(
  owner: Database,
  tenantId: string,
  role: Role = "account_manager",
): Promise<Actor & { kind: "user" }> {
  const id = randomUUID();
  await owner.account.create({ data: { id, login: `${id}@accounts.invalid` } });
  await owner.membership.create({ data: { tenantId, accountId: id, role } });
  return { tenantId, kind: "user", id, role, scopes: [] };
}

/** An API key that this person made. */
export async function anApiKey(
  owner: Database,
  madeBy: Actor,
  scopes: readonly string[] = ["read", "propose"],
): Promise<Actor & { kind: "key" }> {
  const id = randomUUID();
  await owner.$executeRaw`
    INSERT INTO api_keys (tenant_id, id, name, key_hash, scopes, created_by)
    VALUES (${madeBy.tenantId}::uuid, ${id}::uuid, 'test', ${id}, ${scopes}, ${madeBy.id}::uuid)`;
  return { tenantId: madeBy.tenantId, kind: "key", id, role: null, scopes };
}

export interface TestRequest {
  readonly ref: string;
  /** The read that the mirror comes from. */
  readonly receiptId: string;
}

/** A request as a read at the platform showed it: sent, two signers, expiring at `expiresAt` (RFC 3339). */
export async function aRequest(
  owner: Database,
  { tenantId, connectionId }: TestTenant,
  expiresAt = "2027-06-15T15:00:00Z",
  ref = `req_${letters()}`,
): Promise<TestRequest> {
  await owner.request.create({
    data: {
      tenantId,
      ref,
      connectionId,
      platformRef: `env_${randomBytes(6).toString("hex")}`,
      zone: "Europe/Berlin",
    },
  });
  await owner.requestSigner.createMany({
    data: [1, 2].map((order) => ({
      tenantId,
      requestRef: ref,
      subjectRef: `s_${randomBytes(8).toString("hex")}`,
      role: "signer",
      signingOrder: order,
      contactDigest: String(order).repeat(64),
    })),
  });
  return { ref, receiptId: await aRead(owner, tenantId, ref, { status: "sent", expiresAt }) };
}

/** Letters only: a run of digits in a reference may look like a phone number and would be refused. */
export function letters(): string {
  return [...randomBytes(10)].map((byte) => String.fromCharCode(97 + (byte % 26))).join("");
}

/** A further authoritative read: a receipt, and the mirror as it then is. Returns the receipt's id. */
export async function aRead(
  owner: Database,
  tenantId: string,
  ref: string,
  seen: { readonly status: string; readonly expiresAt: string; readonly version?: string },
): Promise<string> {
  const id = randomUUID();
  const at = new Date();
  const version = seen.version ?? "1";
  await owner.readReceipt.create({
    data: {
      tenantId,
      id,
      requestRef: ref,
      purpose: "page",
      outcome: "read",
      startedAt: at,
      finishedAt: at,
      status: seen.status,
      expiresAt: new Date(seen.expiresAt),
      version,
      matches: 1,
      body: "{}",
      hash: "0".repeat(64),
    },
  });
  await owner.request.update({
    where: { tenantId_ref: { tenantId, ref } },
    data: {
      mirrorStatus: seen.status,
      mirrorRawStatus: seen.status,
      mirrorExpiresAt: new Date(seen.expiresAt),
      mirrorVersion: version,
      mirrorSigned: 0,
      mirrorSigners: 2,
      mirrorReadAt: at,
      mirrorReceiptId: id,
      mirrorTerminal: ["completed", "declined", "expired", "voided"].includes(seen.status),
    },
  });
  return id;
}
