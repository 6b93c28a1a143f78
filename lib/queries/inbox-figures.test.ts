import { afterAll, beforeAll, expect, test } from "vitest";
import {
  aKnownRequest,
  eventBody,
  receivePatiently,
  setSecrets,
  signedDelivery,
} from "@/lib/testing/deliveries";
import { openWorkshop, type Workshop } from "@/lib/testing/workshop";
import { inboxFigures } from "./inbox-figures";

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.close());

test("OP-1: every delivery counts once for what it came to, and what is not applied says how old it is", async () => {
  const tenant = await shop.tenant("exact");
  const { tenantId, connectionId } = tenant;
  await aKnownRequest(shop, tenant, "req_counted");
  const tell = (id: string, platformRef: string) =>
    receivePatiently(
      shop.ledger.ctx,
      signedDelivery(tenant, id, eventBody(id, platformRef, "viewed")),
    );
  for (const id of ["c1", "c1", "c2"]) await tell(id, "req_counted");
  await tell("c3", "req_of_somebody");
  await setSecrets(shop, tenant, []);
  expect(await tell("c4", "req_counted")).toBe("refused");
  await shop.ledger.owner.$executeRaw`
    UPDATE inbox_events SET outcome = 'received', received_at = received_at - interval '1 hour'
    WHERE tenant_id = ${tenantId}::uuid AND identity = 'id:c2'`;

  const { counts, waiting } = await inboxFigures(shop.ledger.owner);
  const own = counts.filter((row) => row.connectionId === connectionId);
  expect(Object.fromEntries(own.map(({ outcome, count }) => [outcome, count]))).toEqual({
    applied: 1,
    duplicate: 1,
    no_change: 1,
    quarantined: 1,
    refused: 1,
  });
  const [late, ...others] = waiting.filter((row) => row.tenantId === tenantId);
  expect(others).toEqual([]);
  expect(late).toMatchObject({ connectionId, outcome: "received", count: 1 });
  expect(late?.oldestMs).toBeGreaterThanOrEqual(3_600_000);
});
