import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSubjectRef } from "@/lib/domain/identity";
import { INSTALLATION } from "@/lib/domain/switch-scope";
import { openWebhookSecrets } from "@/lib/store/connection-secrets";
import { asTenant } from "@/lib/store/db";
import { SEALED_COLUMNS, sealersOf } from "@/lib/store/sealed-values";
import { resolveContact, storeContact } from "@/lib/store/vault";
import { placeOf, seal, unseal, vaultKeyId, withOlderKeys } from "@/lib/store/vault-cipher";
import { receivePatiently, signedDelivery } from "@/lib/testing/deliveries";
import { aMember } from "@/lib/testing/tenants";
import { openWorkshop, type ShopTenant, type Workshop } from "@/lib/testing/workshop";
import type { ConsoleContext } from "./context";
import { refuseMissingKeys, rotateVaultKey } from "./rotate-vault-key";
import { saveNoticePreferences } from "./save-notice-preferences";
import { signInByProvider } from "./sign-in-by-provider";

const CONTACT = { name: "Pat Example", email: "pat@rotation.invalid" };
const SUBJECTS = 7;
const BATCH = 3;

let shop: Workshop;
let tenant: ShopTenant;
const subjects: string[] = [];
let digests: readonly string[];

beforeAll(async () => {
  shop = await openWorkshop();
  tenant = await shop.tenant("exact");
  const { ctx, owner } = shop.ledger;
  const scope = { tenantId: tenant.tenantId, vaultKey: ctx.vaultKey };
  for (let n = 0; n < SUBJECTS; n += 1) subjects.push(newSubjectRef(randomBytes(10)));
  digests = await asTenant(ctx.db, tenant.tenantId, async (tx) => {
    const stored = [];
    for (const ref of subjects) stored.push((await storeContact(tx, scope, ref, CONTACT)).digest);
    return stored;
  });
  await receivePatiently(ctx, signedDelivery(tenant, "r1", '{"not": "an event"}'));
  await owner.account.create({ data: { id: randomUUID(), login: "lee@provider.invalid" } });
});
afterAll(() => shop.close());

/** The same installation under another configuration of keys. */
function under(vaultKey: Buffer): ConsoleContext {
  return { ...shop.ledger.ctx, vaultKey };
}

async function sealers(): Promise<ReadonlySet<string>> {
  const found = await Promise.all(SEALED_COLUMNS.map((one) => sealersOf(shop.ledger.owner, one)));
  return new Set(found.flat().map(({ keyId }) => keyId));
}

async function contactUnder(vaultKey: Buffer, ref: string) {
  const scope = { tenantId: tenant.tenantId, vaultKey };
  return asTenant(shop.ledger.ctx.db, tenant.tenantId, (tx) =>
    resolveContact(tx, scope, ref, "test", "system:test"),
  );
}

async function providerSignIn(vaultKey: Buffer) {
  return signInByProvider(under(vaultKey), {
    issuer: "https://provider.invalid",
    tokens: { subject: "lee", refreshToken: null, accessToken: "a", accessEndsAt: null },
    verifiedEmail: "lee@provider.invalid",
    sid: null,
  });
}

test("PV-3: the list of sealed columns is that of the schema", async () => {
  const rows = await shop.ledger.owner.$queryRaw<{ name: string }[]>`
    SELECT table_name || '.' || column_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name NOT LIKE '\\_%'
      AND (column_name LIKE '%sealed' OR column_name = 'provider_tokens')`;
  const listed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  expect(rows.map(({ name }) => name).sort()).toEqual(listed.sort());
});

test("PV-3: a rotation that is broken off goes on where it was; then only the new key opens, digests and sign-ins stay, and it is an entry", async () => {
  const { owner, ctx } = shop.ledger;
  const from = ctx.vaultKey;
  const member = await aMember(owner, tenant.tenantId);
  expect((await providerSignIn(from)).kind).toBe("signed_in");
  await saveNoticePreferences(ctx, member.id, {
    mail: true,
    mailTo: "me@rotation.invalid",
    chat: false,
    quiet: null,
  });
  const { credentialsSetAt } = await owner.connection.findFirstOrThrow({
    where: { id: tenant.connectionId },
  });
  const to = withOlderKeys(randomBytes(32), [from]);
  const next = { owner, vaultKey: to };

  let batches = 0;
  const dies = rotateVaultKey(next, "operator:test", {
    batch: BATCH,
    onBatch: () => {
      batches += 1;
      if (batches === 2) throw new Error("killed");
    },
  });
  await expect(dies).rejects.toThrow("killed");
  expect(await sealers()).toEqual(new Set([vaultKeyId(from), vaultKeyId(to)]));
  // Between the batches everything opens for whoever has both keys.
  for (const ref of subjects)
    expect(await contactUnder(to, ref)).toMatchObject({ contact: CONTACT });

  const seen: number[] = [];
  const rotated = await rotateVaultKey(next, "operator:test", {
    batch: BATCH,
    onBatch: (_, count) => seen.push(count),
  });
  expect(Math.max(...seen)).toBeLessThanOrEqual(BATCH);
  // Two batches of the first column were done before.
  expect(rotated).toMatchObject({
    kind: "done",
    resealed: { vault_subjects: 2 * SUBJECTS - 2 * BATCH, inbox_events: 1, connections: 2 },
  });
  expect(await sealers()).toEqual(new Set([vaultKeyId(to)]));

  const alone = Buffer.from(to);
  for (const [at, ref] of subjects.entries()) {
    expect(await contactUnder(alone, ref)).toEqual({ contact: CONTACT, digest: digests[at] });
  }
  const [event] = await owner.inboxEvent.findMany({ where: { tenantId: tenant.tenantId } });
  const place = placeOf("inbox_events", tenant.tenantId, event?.id ?? "");
  expect(unseal(alone, event?.bodySealed ?? "", place).toString()).toBe('{"not": "an event"}');
  const connection = await owner.connection.findFirstOrThrow({
    where: { id: tenant.connectionId },
  });
  const { tenantId, connectionId } = tenant;
  const secrets = connection.webhookSecretsSealed;
  expect(openWebhookSecrets(alone, tenantId, connectionId, secrets)).toHaveLength(1);
  expect(connection.credentialsSetAt).toEqual(credentialsSetAt);
  expect((await providerSignIn(alone)).kind).toBe("signed_in");
  await expect(contactUnder(from, subjects[0] ?? "")).rejects.toMatchObject({ code: "other_key" });

  const entries = await owner.controlEvent.findMany({
    where: { tenantId: INSTALLATION, kind: "vault_key_rotated" },
    orderBy: { at: "asc" },
  });
  expect(entries.map(({ body }) => JSON.parse(body).phase)).toEqual(["began", "began", "ended"]);
});

test("PV-3: what a key sealed that is not configured is named, and neither a rotation nor a worker begins", async () => {
  const { owner } = shop.ledger;
  const stranger = randomBytes(32);
  const before = await owner.vaultSubject.findMany({ orderBy: { subjectRef: "asc" } });
  const refused = await rotateVaultKey({ owner, vaultKey: stranger }, "operator:test");
  expect(refused).toMatchObject({ kind: "refused" });
  expect(JSON.stringify(refused)).toContain('"table":"vault_subjects"');
  expect(await owner.vaultSubject.findMany({ orderBy: { subjectRef: "asc" } })).toEqual(before);
  const [sealer] = [...(await sealers())];
  await expect(refuseMissingKeys({ owner, vaultKey: stranger })).rejects.toThrow(sealer ?? "a key");
});

test("PV-3: an older key opens and seals nothing any more", () => {
  const [older, present] = [randomBytes(32), randomBytes(32)];
  const sealedBefore = seal(older, "text", "place");
  const both = withOlderKeys(present, [older]);
  expect(unseal(both, sealedBefore, "place").toString()).toBe("text");
  expect(unseal(Buffer.from(present), seal(both, "text", "place"), "place").toString()).toBe(
    "text",
  );
});
