import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSubjectRef } from "@/lib/domain/identity";
import { asTenant } from "@/lib/store/db";
import {
  aMember,
  aTenant,
  type TestLedger,
  type TestTenant,
  testLedger,
} from "@/lib/testing/tenants";
import {
  contactDigest,
  resolveContact,
  resolveText,
  storeContact,
  storeText,
  textSubjectOf,
} from "./vault";
import { placeOf, seal, unseal, VaultError } from "./vault-cipher";

let ledger: TestLedger;
let tenant: TestTenant;

const CANARY = { name: "Pat Canary-Quill", email: "pat.canary.8812@example.com" };

beforeAll(async () => {
  ledger = await testLedger();
  tenant = await aTenant(ledger.owner);
});
afterAll(() => ledger.close());

function scope() {
  return { tenantId: tenant.tenantId, vaultKey: ledger.ctx.vaultKey };
}

test("PV-3 PV-4: no column of the vault holds a contact detail in the clear, in base64 or as hex", async () => {
  const subject = newSubjectRef(randomBytes(10));
  await asTenant(ledger.ctx.db, tenant.tenantId, (tx) =>
    storeContact(tx, scope(), subject, CANARY),
  );
  const rows = await ledger.owner.$queryRaw<{ row: string }[]>`
    SELECT e::text || s::text AS row FROM vault_entries e JOIN vault_subjects s USING (tenant_id, subject_ref)
    WHERE subject_ref = ${subject}`;
  expect(rows).toHaveLength(1);
  for (const word of [CANARY.name, CANARY.email, "canary"]) {
    for (const form of [
      word,
      Buffer.from(word).toString("base64url"),
      Buffer.from(word).toString("hex"),
    ]) {
      expect(rows[0]?.row.toLowerCase()).not.toContain(form.toLowerCase());
    }
  }
});

test("PV-3: a contact comes back as it was stored, and every reading is recorded and cannot be removed", async () => {
  const subject = newSubjectRef(randomBytes(10));
  const { id } = await aMember(ledger.owner, tenant.tenantId);
  const actor = `user:${id}`;
  const found = await asTenant(ledger.ctx.db, tenant.tenantId, async (tx) => {
    const stored = await storeContact(tx, scope(), subject, CANARY);
    const read = await resolveContact(tx, scope(), subject, "approval_page", actor);
    return { stored, read };
  });
  expect(found.read).toEqual({ contact: CANARY, digest: found.stored.digest });
  const reads = await ledger.owner.vaultRead.findMany({ where: { subjectRef: subject } });
  expect(reads).toMatchObject([{ actor, purpose: "approval_page" }]);
  await expect(
    ledger.owner.vaultRead.deleteMany({ where: { subjectRef: subject } }),
  ).rejects.toThrow(/append-only/);
});

test("ID-5: the digest is keyed per subject, so that two subjects with one contact have two digests", async () => {
  const [one, two] = [newSubjectRef(randomBytes(10)), newSubjectRef(randomBytes(10))];
  const digests = await asTenant(ledger.ctx.db, tenant.tenantId, async (tx) => [
    (await storeContact(tx, scope(), one, CANARY)).digest,
    (await storeContact(tx, scope(), two, CANARY)).digest,
    await contactDigest(tx, scope(), one, CANARY),
    await contactDigest(tx, scope(), one, { ...CANARY, email: "other@example.com" }),
  ]);
  expect(digests[0]).toBe(digests[2]);
  expect(new Set(digests).size).toBe(3);
});

test("ID-5: of changed contact details the newest count, also when they are the first ones again", async () => {
  const subject = newSubjectRef(randomBytes(10));
  const other = { ...CANARY, email: "other@example.com" };
  const seen: unknown[] = [];
  for (const contact of [CANARY, other, CANARY]) {
    await asTenant(ledger.ctx.db, tenant.tenantId, (tx) =>
      storeContact(tx, scope(), subject, contact),
    );
    seen.push(
      await asTenant(ledger.ctx.db, tenant.tenantId, async (tx) => {
        return (await resolveContact(tx, scope(), subject, "test", "system:test"))?.contact;
      }),
    );
  }
  expect(seen).toEqual([CANARY, other, CANARY]);
});

test("AP-4 ID-6: the same text stored by twenty at once is one entry with one digest", async () => {
  const subject = textSubjectOf(tenant.tenantId, "req_texts");
  const refs = await Promise.all(
    Array.from({ length: 20 }, () =>
      asTenant(ledger.ctx.db, tenant.tenantId, (tx) =>
        storeText(tx, scope(), subject, "Board meets late."),
      ),
    ),
  );
  expect(new Set(refs.map(({ ref, digest }) => `${ref} ${digest}`)).size).toBe(1);
  const read = await asTenant(ledger.ctx.db, tenant.tenantId, (tx) =>
    resolveText(tx, scope(), refs[0]?.ref ?? "", "test", "system:test"),
  );
  expect(read).toEqual({ text: "Board meets late.", digest: refs[0]?.digest });
});

test("PV-2: another tenant's context resolves nothing of this tenant", async () => {
  const stranger = await aTenant(ledger.owner);
  const subject = newSubjectRef(randomBytes(10));
  await asTenant(ledger.ctx.db, tenant.tenantId, (tx) =>
    storeContact(tx, scope(), subject, CANARY),
  );
  const found = await asTenant(ledger.ctx.db, stranger.tenantId, (tx) =>
    resolveContact(tx, scope(), subject, "test", "system:test"),
  );
  expect(found).toBeNull();
});

test("PV-3: a sealed value opens with its own key at its own place only, and any changed bit closes it", () => {
  const key = randomBytes(32);
  const place = placeOf("vault_entries.ciphertext", "tenant_a", "s_1");
  const sealed = seal(key, "secret", place);
  expect(unseal(key, sealed, place).toString()).toBe("secret");
  expect(seal(key, "secret", place)).not.toBe(sealed);
  const codeOf = (open: () => unknown) => {
    try {
      open();
    } catch (error) {
      return error instanceof VaultError ? error.code : error;
    }
    return "opened";
  };
  const flipped = `${sealed.slice(0, -2)}${sealed.endsWith("AA") ? "BB" : "AA"}`;
  expect(codeOf(() => unseal(key, flipped, place))).toBe("not_authentic");
  expect(
    codeOf(() => unseal(key, sealed, placeOf("vault_entries.ciphertext", "tenant_b", "s_1"))),
  ).toBe("not_authentic");
  expect(codeOf(() => unseal(randomBytes(32), sealed, place))).toBe("other_key");
  expect(codeOf(() => unseal(key, "v2.a.b.c", place))).toBe("malformed");
  expect(codeOf(() => seal(randomBytes(16), "secret", place))).toBe("key_unusable");
});
