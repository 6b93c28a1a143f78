import { afterAll, beforeAll, expect, test } from "vitest";
import { CapabilityDescriptorSchema } from "@/lib/domain/capability";
import {
  aMember,
  aTenant,
  type TestLedger,
  type TestTenant,
  testLedger,
} from "@/lib/testing/tenants";
import { capabilitiesPage } from "./connection-page";

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await testLedger();
});
afterAll(() => ledger.close());

async function change({ tenantId, connectionId: id }: TestTenant, data: { descriptor: string }) {
  await ledger.owner.connection.update({ where: { tenantId_id: { tenantId, id } }, data });
}

test("PL-2: whoever changes what a platform promises, the page shows when, who, before and after", async () => {
  const tenant = await aTenant(ledger.owner);
  const viewer = await aMember(ledger.owner, tenant.tenantId);
  const page = () =>
    capabilitiesPage(ledger.ctx.db, tenant.tenantId, viewer.id, tenant.connectionId);
  const { descriptor } = (await page()) ?? {};
  expect((await page())?.changes).toEqual([]);

  const other = CapabilityDescriptorSchema.parse({ ...descriptor, readLimitPerHour: 77 });
  await change(tenant, { descriptor: JSON.stringify(other) });
  await change(tenant, { descriptor: JSON.stringify(other) });
  const changed = await page();
  expect(changed?.descriptor.readLimitPerHour).toBe(77);
  expect(changed?.changes).toMatchObject([
    {
      by: { name: "system:operator", mark: "system" },
      fields: [{ field: "Reads per hour", per: "reads", after: "77" }],
    },
  ]);
  expect(changed?.changes[0]?.fields?.[0]?.before).not.toBe("77");
});

test("PL-2: the console's role can change no promise, and another tenant's changes are not shown", async () => {
  const [tenant, other] = [await aTenant(ledger.owner), await aTenant(ledger.owner)];
  const viewer = await aMember(ledger.owner, other.tenantId);
  const { tenantId, connectionId: id } = tenant;
  const mine = ledger.ctx.db.connection.update({
    where: { tenantId_id: { tenantId, id } },
    data: { descriptor: "{}" },
  });
  await expect(mine).rejects.toThrow();
  expect(await capabilitiesPage(ledger.ctx.db, other.tenantId, viewer.id, id)).toBeNull();
});
