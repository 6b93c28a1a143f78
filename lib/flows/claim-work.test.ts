import { expect, test } from "vitest";
import { manyApprovedSends } from "@/lib/testing/many-sends";
import { openWorkshop } from "@/lib/testing/workshop";
import { claimDueWork } from "./claim-work";

test("CL-5: spare hands, however many are free, take one operation of a tenant with nothing in flight and none of another", async () => {
  const shop = await openWorkshop();
  const [one, other] = [await shop.tenant("exact"), await shop.tenant("exact")];
  await manyApprovedSends(shop, one, 3);
  await manyApprovedSends(shop, other, 3);
  const worker = await shop.worker();
  const tenantsOf = async (spare: boolean) =>
    (await claimDueWork(worker, 8, spare)).map(({ claim }) => claim.tenantId).sort();
  const both = [one.tenantId, other.tenantId].sort();
  expect(await tenantsOf(true)).toEqual(both);
  expect(await tenantsOf(true)).toEqual([]);
  expect(await tenantsOf(false)).toHaveLength(6);
  await shop.close();
});
