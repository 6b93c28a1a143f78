import { afterAll, beforeAll, expect, test } from "vitest";
import { connectionPage } from "@/lib/queries/connection-page";
import { connectionsPage } from "@/lib/queries/connections-page";
import {
  aKnownRequest,
  eventBody,
  receivePatiently,
  setSecrets,
  signedDelivery,
} from "@/lib/testing/deliveries";
import { refusalOf } from "@/lib/testing/refusals";
import { aMember, anApiKey } from "@/lib/testing/tenants";
import {
  openWorkshop,
  type ShopTenant,
  WEBHOOK_SECRET,
  type Workshop,
} from "@/lib/testing/workshop";
import type { Actor, ConsoleContext } from "./context";
import { endWebhookSecret } from "./end-webhook-secret";
import { rotateWebhookSecret } from "./rotate-webhook-secret";
import { savePolling } from "./save-polling";
import { testConnection } from "./test-connection";

let shop: Workshop;
let ctx: ConsoleContext;
beforeAll(async () => {
  shop = await openWorkshop();
  ctx = shop.ledger.ctx;
});
afterAll(() => shop.close());

interface Stage {
  readonly tenant: ShopTenant;
  readonly admin: Actor;
}

async function stage(): Promise<Stage> {
  const tenant = await shop.tenant("exact");
  return { tenant, admin: await aMember(shop.ledger.owner, tenant.tenantId, "admin") };
}

const codeOf = async (work: Promise<unknown>) => (await refusalOf(work)).code;

let deliveries = 0;

/** What a delivery that is signed with this secret comes to. */
function delivered({ tenant }: Stage, secret: string) {
  deliveries += 1;
  const id = `evt_${deliveries}`;
  const body = eventBody(id, "req_of_nobody", "sent");
  return receivePatiently(ctx, signedDelivery(tenant, id, body, secret));
}

function make({ tenant, admin }: Stage, shownKeyIds: readonly string[], actor = admin) {
  const { connectionId } = tenant;
  return rotateWebhookSecret(ctx, actor, { connectionId, shownKeyIds, overlapHours: 24 });
}

const pageOf = ({ tenant, admin }: Stage) =>
  connectionPage(ctx, tenant.tenantId, admin.id, tenant.connectionId);

const idsOf = async (made: Stage) =>
  (await pageOf(made))?.connection.secrets.map(({ keyId }) => keyId);

test("IN-1 C-17: after a rotation either secret is accepted, and a removed one stops with the next delivery", async () => {
  const made = await stage();
  const { tenant, admin } = made;
  const fresh = await make(made, ["k1"]);
  expect(fresh.previousUntil).not.toBeNull();
  expect(await delivered(made, WEBHOOK_SECRET)).toBe("quarantined");
  expect(await delivered(made, fresh.secret)).toBe("quarantined");
  expect((await pageOf(made))?.signed).toEqual({ k1: 1, [fresh.keyId]: 1 });
  expect(await codeOf(make(made, ["k1", fresh.keyId]))).toBe("webhook_secrets_full");
  await endWebhookSecret(ctx, admin, tenant.connectionId, "k1");
  expect(await delivered(made, WEBHOOK_SECRET)).toBe("refused");
  expect(await delivered(made, fresh.secret)).toBe("quarantined");
  await endWebhookSecret(ctx, admin, tenant.connectionId, fresh.keyId);
  expect(await delivered(made, fresh.secret)).toBe("refused");
  const last = await make(made, []);
  expect(last.previousUntil).toBeNull();
  expect(await delivered(made, last.secret)).toBe("quarantined");
  expect((await pageOf(made))?.acts.map(({ sentence }) => sentence)).toEqual([
    `Made secret ${last.keyId}.`,
    `Removed secret ${fresh.keyId}. None was left.`,
    `Removed secret k1. ${fresh.keyId} stays, without an end.`,
    `Made secret ${fresh.keyId}. k1 is accepted along for 24 hours.`,
  ]);
});

test("IN-1: a secret whose end has come is neither accepted nor shown, though nobody removed it", async () => {
  const made = await stage();
  const until = new Date(Date.now() - 1000).toISOString();
  await setSecrets(shop, made.tenant, [{ keyId: "old", secret: WEBHOOK_SECRET, until }]);
  expect(await delivered(made, WEBHOOK_SECRET)).toBe("refused");
  expect(await idsOf(made)).toEqual([]);
  const fresh = await make(made, []);
  expect(await idsOf(made)).toEqual([fresh.keyId]);
});

test("IN-1: taking a rotation back leaves the old secret without an end, and a further one gives it the chosen end", async () => {
  const made = await stage();
  const { admin, tenant } = made;
  const endOf = async (keyId: string) =>
    (await pageOf(made))?.connection.secrets.find((one) => one.keyId === keyId)?.until;
  const first = await make(made, ["k1"]);
  expect(await endOf("k1")).toBe(first.previousUntil);
  await endWebhookSecret(ctx, admin, tenant.connectionId, first.keyId);
  expect(await endOf("k1")).toBeNull();
  const second = await make(made, ["k1"]);
  expect(await endOf("k1")).toBe(second.previousUntil);
  expect(await endOf(second.keyId)).toBeNull();
});

test("IN-1: of two admins who rotate at once one is told to look again, and never more than two are active", async () => {
  const made = await stage();
  const both = await Promise.allSettled([make(made, ["k1"]), make(made, ["k1"])]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await idsOf(made)).toHaveLength(2);
  expect(await codeOf(make(made, ["k1"]))).toBe("webhook_secrets_changed");
  const gone = endWebhookSecret(ctx, made.admin, made.tenant.connectionId, "nobody");
  expect(await codeOf(gone)).toBe("webhook_secrets_changed");
});

test("PV-1 PV-2: only an admin of the tenant touches secrets and polling; keys and others never", async () => {
  const made = await stage();
  const { tenant, admin } = made;
  const { connectionId, tenantId } = tenant;
  const polling = { connectionId, polling: "always", silentAfterMinutes: 60 } as const;
  for (const actor of [
    tenant.proposer,
    await aMember(shop.ledger.owner, tenantId, "on_call"),
    await aMember(shop.ledger.owner, tenantId, "compliance"),
    await anApiKey(shop.ledger.owner, admin),
  ]) {
    expect(await codeOf(make(made, ["k1"], actor))).toBe("not_permitted");
    const end = endWebhookSecret(ctx, actor, connectionId, "k1");
    expect(await codeOf(end)).toBe("not_permitted");
    expect(await codeOf(savePolling(ctx, actor, polling))).toBe("not_permitted");
  }
  const { admin: stranger } = await stage();
  expect(await codeOf(make(made, ["k1"], stranger))).toBe("not_found");
  expect(await codeOf(savePolling(ctx, stranger, polling))).toBe("not_found");
  expect(await codeOf(testConnection(ctx, stranger, connectionId))).toBe("not_found");
  expect(await idsOf(made)).toEqual(["k1"]);
});

test("PL-1 PV-4: no page, record or column shows a secret or the platform's credential, and their date is kept", async () => {
  const made = await stage();
  const { tenant, admin } = made;
  const before = (await pageOf(made))?.connection.credentialsSetAt ?? "";
  const { secret } = await make(made, ["k1"]);
  const { owner } = shop.ledger;
  const where = { tenantId_id: { tenantId: tenant.tenantId, id: tenant.connectionId } };
  const row = await owner.connection.findUniqueOrThrow({ where });
  const shown = JSON.stringify([
    await pageOf(made),
    await connectionsPage(ctx, tenant.tenantId),
    row,
    await owner.controlEvent.findMany({ where: { tenantId: tenant.tenantId } }),
  ]);
  for (const text of [secret, WEBHOOK_SECRET]) expect(shown).not.toContain(text.slice(6));
  await owner.connection.update({ where, data: { apiKeySealed: `${row.apiKeySealed}x` } });
  const after = (await pageOf(made))?.connection.credentialsSetAt ?? "";
  expect(after > before).toBe(true);
  expect(admin.role).toBe("admin");
});

test("IN-7: polling is set by an admin, takes what was there before on record, and the same again leaves no entry", async () => {
  const made = await stage();
  const { connectionId } = made.tenant;
  const wish = { connectionId, polling: "when_silent", silentAfterMinutes: 15 } as const;
  await savePolling(ctx, made.admin, wish);
  await savePolling(ctx, made.admin, wish);
  const page = await pageOf(made);
  expect(page?.connection).toMatchObject({ polling: "when_silent", silentAfterMinutes: 15 });
  expect(page?.acts.map(({ sentence }) => sentence)).toEqual([
    'Changed polling from "Off: only deliveries tell us" to "While deliveries are silent", silent after 15 min.',
  ]);
});

test("PL-1: trying out a connection orders one read of its request and nothing else; without a request it says so", async () => {
  const made = await stage();
  const { connectionId, tenantId } = made.tenant;
  const nothing = testConnection(ctx, made.admin, connectionId);
  expect(await codeOf(nothing)).toBe("nothing_to_read");
  const ref = await aKnownRequest(shop, made.tenant, "req_try");
  const { orderId, requestRef } = await testConnection(ctx, made.admin, connectionId);
  expect(requestRef).toBe(ref);
  const orders = await shop.ledger.owner.readOrder.findMany({ where: { tenantId } });
  expect(orders.map(({ id }) => id)).toEqual([orderId]);
});
