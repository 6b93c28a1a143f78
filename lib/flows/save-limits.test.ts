import { afterAll, beforeAll, expect, test } from "vitest";
import { limitsPage } from "@/lib/queries/limits";
import { refusalOf } from "@/lib/testing/refusals";
import {
  aMember,
  aTenant,
  type TestLedger,
  type TestTenant,
  testLedger,
} from "@/lib/testing/tenants";
import type { Actor } from "./context";
import { type LimitsWish, saveLimits } from "./save-limits";

let ledger: TestLedger;
let tenant: TestTenant;
let admin: Actor;
beforeAll(async () => {
  ledger = await testLedger();
  tenant = await aTenant(ledger.owner);
  admin = await aMember(ledger.owner, tenant.tenantId, "admin");
});
afterAll(() => ledger.close());

const wish = (changes: Partial<LimitsWish>): LimitsWish => ({
  connectionId: null,
  inFlightMax: null,
  callsPerMinute: null,
  readsPerHour: null,
  ...changes,
});

test("CL-5 PL-7: an admin sets limits of the tenant and of a connection; both hold, are shown and recorded with what was before", async () => {
  const { tenantId, connectionId } = tenant;
  await saveLimits(ledger.ctx, admin, wish({ inFlightMax: 12 }));
  await saveLimits(
    ledger.ctx,
    admin,
    wish({ connectionId, callsPerMinute: 30, readsPerHour: 500 }),
  );
  await saveLimits(
    ledger.ctx,
    admin,
    wish({ connectionId, callsPerMinute: 30, readsPerHour: 500 }),
  );
  await saveLimits(
    ledger.ctx,
    admin,
    wish({ connectionId, callsPerMinute: 40, readsPerHour: 500 }),
  );

  const { rows } = await limitsPage(ledger.ctx.db, tenantId);
  expect(
    rows.map(({ name, inFlight, callsOfMinute, readsOfHour, nextFreeAt }) => ({
      name,
      limits: [inFlight.limit, callsOfMinute.limit, readsOfHour?.limit ?? null],
      used: [inFlight.used, callsOfMinute.used, readsOfHour?.used ?? null],
      nextFreeAt,
    })),
  ).toEqual([
    { name: "All connections", limits: [12, 1200, null], used: [0, 0, null], nextFreeAt: null },
    { name: "sbx-1", limits: [200, 40, 500], used: [0, 0, 0], nextFreeAt: null },
  ]);
  const events = await ledger.owner.controlEvent.findMany({
    where: { tenantId, kind: "limits_changed" },
    orderBy: { at: "asc" },
  });
  expect(events.map(({ about, actor }) => [about, actor])).toEqual([
    ["this tenant", `user:${admin.id}`],
    ["connection sbx-1", `user:${admin.id}`],
    ["connection sbx-1", `user:${admin.id}`],
  ]);
  expect(JSON.parse(events[2]?.body ?? "{}")).toMatchObject({
    from: { callsPerMinute: 30 },
    to: { callsPerMinute: 40 },
  });
});

test("PV-1: nobody but an admin sets limits, nor for a connection of another tenant, nor reads for a whole tenant", async () => {
  const { owner, ctx } = ledger;
  const onCall = await aMember(owner, tenant.tenantId, "on_call");
  const other = await aTenant(owner);
  const refused = async (actor: Actor, changes: Partial<LimitsWish>) =>
    (await refusalOf(saveLimits(ctx, actor, wish(changes)))).code;
  expect(await refused(onCall, { inFlightMax: 1 })).toBe("not_permitted");
  expect(await refused(admin, { connectionId: other.connectionId, inFlightMax: 1 })).toBe(
    "not_found",
  );
  expect(await refused(admin, { readsPerHour: 5 })).toBe("fields_unusable");
});
