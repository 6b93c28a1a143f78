import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { descriptorOf } from "@/lib/providers/sandbox/descriptor";
import { SANDBOX_PROFILES } from "@/lib/providers/sandbox/profiles";
import { placeOf, unseal } from "@/lib/store/vault-cipher";
import {
  aKnownRequest,
  deliverAt,
  deliveryOf,
  eventBody,
  inboxOf,
  mirrorOf,
  receivePatiently,
  SECOND_SECRET,
  setSecrets,
  signedDelivery,
  workerSeeing,
} from "@/lib/testing/deliveries";
import {
  anApprovedExtension,
  aRealRequest,
  inDays,
  openWorkshop,
  operationOf,
  type ShopTenant,
  WEBHOOK_SECRET,
  type Workshop,
} from "@/lib/testing/workshop";
import { applyWaitingEvents } from "./apply-waiting-events";
import { fulfilReads } from "./fulfil-reads";
import { proposeVoid } from "./propose-void";

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.close());

/** 2027-03-01T12:00:00Z, and a tenth of a second so that rounding is not what is tested. */
const NOW = 1_803_902_400;
const AT_MS = NOW * 1000 + 100;
const S1 = { keyId: "key_1", secret: WEBHOOK_SECRET };
const S2 = { keyId: "key_2", secret: SECOND_SECRET };

const at = (
  tenant: ShopTenant,
  ...[id, time, body, signature]: [string, number | string, string, string]
) => deliverAt(shop, AT_MS, deliveryOf(tenant.connectionId, id, time, body, signature));

const reviewsOf = ({ tenantId }: ShopTenant) =>
  shop.ledger.owner.reviewItem.findMany({ where: { tenantId }, orderBy: { openedAt: "asc" } });
const ordersOf = ({ tenantId }: ShopTenant) =>
  shop.ledger.owner.readOrder.findMany({ where: { tenantId } });
const refusalsOf = ({ tenantId }: ShopTenant) =>
  shop.ledger.owner.inboxRefusal.findMany({ where: { tenantId }, orderBy: { why: "asc" } });

test("IN-1 C-15: the exact bytes are accepted and kept, and the signature over what they parse to is refused", async () => {
  const tenant = await shop.tenant("exact");
  const ref = await aKnownRequest(shop, tenant, "req_7001");
  const body = String.raw`{"type":"request.completed","data":{"request_id":"req_7001","signer":"Zo\u00eb Example","amount":10.0,"url":"https:\/\/sign.example\/r\/7001"}}`;
  expect(Buffer.byteLength(body)).toBe(143);

  const overParsed = "v1,+An6rS7X21tVxqJpIVJ1DHA7fa3oS74XNMHWJFa74t4=";
  expect(await at(tenant, "msg_open_0019", NOW, body, overParsed)).toBe("refused");
  expect(await inboxOf(shop, tenant)).toEqual([]);
  expect(await refusalsOf(tenant)).toMatchObject([{ why: "signature", count: 1 }]);

  const good = "v1,7UJ5VG657Am6iJOsr84AaEmSX77L5Tuk98kwl37FH7s=";
  expect(await at(tenant, "msg_open_0019", NOW, body, good)).toBe("applied");
  const [row] = await inboxOf(shop, tenant);
  const sha256 = "24c1c93be00186c884c00e503ee704c31738a1af41f8c1d0ff2feb2765d13ab0";
  expect(row?.bodyDigest).toBe(sha256);
  const place = placeOf("inbox_events", tenant.tenantId, row?.id ?? "");
  const kept = unseal(shop.ledger.ctx.vaultKey, row?.bodySealed ?? "", place);
  expect(createHash("sha256").update(kept).digest("hex")).toBe(sha256);
  expect((await mirrorOf(shop, tenant, ref)).mirrorStatus).toBe("completed");
});

test("IN-1 C-16: time-stamps beyond the tolerance are refused both ways and counted, and a second one is a copy", async () => {
  const tenant = await shop.tenant("exact");
  await aKnownRequest(shop, tenant, "req_7002");
  const body = '{"type":"request.sent","data":{"request_id":"req_7002"}}';
  const deliver = (time: number | string, signature: string) =>
    at(tenant, "msg_open_0020", time, body, signature);

  expect([
    await deliver(1_803_902_099, "v1,oRG/rJ250uoVc1AP1MkWdSUNoA2AmahgzWjUnZq0tZU="),
    await deliver(1_803_902_101, "v1,xsLchlgSGRT1Ma9OU+eMEIpFpU3Amr9uQ2TXvCtEX/8="),
    await deliver(1_803_902_699, "v1,HLLGRsu3p7wurHrw3qommRha+8sCsg5KUsCoYeBjsPg="),
    await deliver(1_803_902_701, "v1,GXDywtUH3/0g9V2FAM7ykrvnY1d06cxYESodVbZMBxA="),
    await deliver("1803902400.0", "v1,oIMKFQZehScF7EdY19FN+tkhhvu8lEGU8dJKm0ujf8w="),
  ]).toEqual(["refused", "no_change", "duplicate", "refused", "refused"]);

  expect(await inboxOf(shop, tenant)).toMatchObject([{ copies: 2 }]);
  expect(await refusalsOf(tenant)).toMatchObject([{ why: "timestamp", count: 3 }]);
});

test("IN-1 C-17: while two secrets are active either signs, and a retired one stops at once", async () => {
  const tenant = await shop.tenant("exact");
  await aKnownRequest(shop, tenant, "req_7003");
  const body = '{"type":"request.declined","data":{"request_id":"req_7003"}}';
  const byS1 = "v1,8/NKEQWzDAt0U2iyfyf/52bN7fRFu/mhO4iAIPtFpEc=";
  const byS2 = "v1,/KaZvvanB5lmgGIkaSJHAU7hWxhDCHP4IQj1dBPFMRE=";
  const deliver = (signature: string) => at(tenant, "msg_open_0021", NOW, body, signature);
  const several = `v1,AAAA ${byS1} v2,BBBB`;

  await setSecrets(shop, tenant, [S1, S2]);
  expect(await deliver(several)).toBe("applied");
  expect(await deliver(byS2)).toBe("duplicate");
  expect(await deliver(byS1.replace("v1", "v2"))).toBe("refused");
  expect(await deliver(byS1.slice(0, -1))).toBe("refused");
  expect(await deliver(Array.from({ length: 5000 }, () => "v1,AAAA").join(" "))).toBe("refused");
  expect(await inboxOf(shop, tenant)).toMatchObject([{ keyId: "key_1" }]);

  await setSecrets(shop, tenant, [S2]);
  expect([await deliver(several), await deliver(byS2)]).toEqual(["refused", "duplicate"]);
});

test("IN-2 C-18: the same event twenty times at once has one effect, and every delivery is answered", async () => {
  const tenant = await shop.tenant("exact");
  const ref = await aKnownRequest(shop, tenant, "req_7004");
  const delivery = signedDelivery(tenant, "msg_c18", eventBody("msg_c18", "req_7004", "completed"));
  const other = { ...shop.ledger.ctx, log: { ...shop.ledger.ctx.log } };

  const received = await Promise.all(
    Array.from({ length: 20 }, (_, place) =>
      receivePatiently(place % 2 === 0 ? shop.ledger.ctx : other, delivery),
    ),
  );

  expect(received.filter((one) => one === "applied")).toHaveLength(1);
  expect(received.filter((one) => one === "duplicate")).toHaveLength(19);
  expect(await inboxOf(shop, tenant)).toMatchObject([{ outcome: "applied", copies: 20 }]);
  expect((await mirrorOf(shop, tenant, ref)).mirrorTerminal).toBe(true);
  expect(await ordersOf(tenant)).toHaveLength(1);
  expect(await outboxOf(tenant)).toMatchObject([{ type: "request.completed", releasedAt: null }]);
});

const outboxOf = ({ tenantId }: ShopTenant) =>
  shop.ledger.owner.outboxEvent.findMany({ where: { tenantId } });

const C19 = (createdAt: string, signedAt = "2027-03-01T11:59:57.000Z") =>
  `{"event":"DOCUMENT_COMPLETED","payload":{"id":55,"completedAt":"2027-03-01T11:59:58.000Z","recipients":[{"id":7,"signedAt":"${signedAt}"}]},"createdAt":"${createdAt}"}`;

test("IN-3 C-19: retries without an id and with another body are one event by their own times, which only orders a read", async () => {
  const tenant = await shop.tenant("exact");
  const { tenantId, connectionId } = tenant;
  const descriptor = { ...descriptorOf(SANDBOX_PROFILES.exact), eventId: false };
  await shop.ledger.owner.connection.update({
    where: { tenantId_id: { tenantId, id: connectionId } },
    data: { descriptor: JSON.stringify(descriptor) },
  });
  const ref = await aKnownRequest(shop, tenant, "55");
  // The id of the delivery is another each time, as from a sender that does not keep it.
  const deliver = (delivery: string, body: string) =>
    receivePatiently(shop.ledger.ctx, signedDelivery(tenant, delivery, body));

  expect([
    await deliver("try_1", C19("2027-03-01T12:00:00.101Z")),
    await deliver("try_2", C19("2027-03-01T12:00:09.404Z")),
  ]).toEqual(["applied", "duplicate"]);
  expect(await inboxOf(shop, tenant)).toMatchObject([{ hasEventId: false, copies: 2 }]);
  expect((await mirrorOf(shop, tenant, ref)).mirrorStatus).toBe("sent");

  const { worker, reads } = await workerSeeing(shop, new Map([["55", "completed"]]));
  await fulfilReads(worker);
  expect(reads).toEqual(["55"]);
  expect((await mirrorOf(shop, tenant, ref)).mirrorStatus).toBe("completed");
  expect(await outboxOf(tenant)).toHaveLength(1);

  const another = C19("2027-03-01T12:00:20.000Z", "2027-03-01T11:59:59.000Z");
  expect(await deliver("try_3", another)).toBe("applied");
  expect(await inboxOf(shop, tenant)).toHaveLength(2);
});

test("IN-5 C-20: viewed, sent and expired after completed never move it; expired is read once and a person hears the answer", async () => {
  const tenant = await shop.tenant("exact");
  const ref = await aKnownRequest(shop, tenant, "req_7005");
  const events = [
    ["e1", "completed", "2027-03-01T12:00:05Z"],
    ["e2", "viewed", "2027-03-01T12:00:05Z"],
    ["e3", "sent", "2027-03-01T11:00:00Z"],
    ["e4", "expired", "2027-03-01T12:00:06Z"],
    ["e5", "completed", "2027-03-01T12:00:05Z"],
  ] as const;
  const { worker, reads } = await workerSeeing(shop, new Map([["req_7005", "completed"]]));
  const received: string[] = [];
  for (const [id, status, at] of events) {
    const body = eventBody(id, "req_7005", status, { at });
    received.push(await receivePatiently(shop.ledger.ctx, signedDelivery(tenant, id, body)));
    expect((await mirrorOf(shop, tenant, ref)).mirrorStatus).toBe("completed");
    // What the first event ordered is answered before the contradiction comes.
    if (id === "e3") await fulfilReads(worker);
  }
  expect(received).toEqual(["applied", "no_change", "no_change", "no_change", "no_change"]);
  expect(await inboxOf(shop, tenant)).toHaveLength(5);
  expect(reads).toHaveLength(1);
  await applyWaitingEvents(worker);
  expect((await reviewsOf(tenant)).map(({ reason }) => reason)).not.toContain("contradicting_end");

  await fulfilReads(worker);
  await applyWaitingEvents(worker);
  await applyWaitingEvents(worker);
  expect(reads).toHaveLength(2);
  const [item, ...more] = (await reviewsOf(tenant)).filter(
    (one) => one.reason === "contradicting_end",
  );
  expect(more).toEqual([]);
  const told = (await inboxOf(shop, tenant)).find((one) => one.contradicts !== null);
  expect(told).toMatchObject({ contradicts: "completed", claimedStatus: "expired" });
  expect(JSON.parse(item?.evidence ?? "{}")).toMatchObject({
    inbox: told?.id,
    receipt: told?.receiptId,
    old: "completed",
    new: "expired",
    observed: "completed",
  });
  expect((await mirrorOf(shop, tenant, ref)).mirrorStatus).toBe("completed");
});

test("IN-9: an end that an event claims and a read does not show stays held, and a person looks", async () => {
  const tenant = await shop.tenant("exact");
  const ref = await aKnownRequest(shop, tenant, "req_held");
  const delivery = signedDelivery(tenant, "h1", eventBody("h1", "req_held", "completed"));
  expect(await receivePatiently(shop.ledger.ctx, delivery)).toBe("applied");

  const { worker } = await workerSeeing(shop, new Map([["req_held", "viewed"]]));
  await shop.ledger.owner.$executeRaw`
    UPDATE outbox_events SET created_at = created_at - interval '1 day' WHERE tenant_id = ${tenant.tenantId}::uuid`;
  await fulfilReads(worker);

  expect(await outboxOf(tenant)).toMatchObject([
    { releasedAt: null, heldReason: "read_disagrees" },
  ]);
  expect((await reviewsOf(tenant)).map(({ requestRef }) => requestRef)).toContain(ref);
  expect((await mirrorOf(shop, tenant, ref)).mirrorStatus).toBe("completed");
});

test("IN-6: a terminal event ends what waits on the request, but no operation whose own target it shows", async () => {
  const tenant = await shop.tenant("exact");
  const request = await aRealRequest(shop, tenant, inDays(4));
  const opId = await anApprovedExtension(shop, tenant, request, inDays(9));
  const voidId = await aProposedVoid(tenant, request);

  const body = eventBody("v1", request.platformRef, "voided");
  expect(await receivePatiently(shop.ledger.ctx, signedDelivery(tenant, "v1", body))).toBe(
    "applied",
  );

  expect(await operationOf(shop, tenant, opId)).toMatchObject({
    state: "obsolete",
    reason: "request_voided_first",
  });
  expect((await operationOf(shop, tenant, voidId)).state).toBe("proposed");
  const [row] = await inboxOf(shop, tenant);
  expect(JSON.parse(row?.effects ?? "{}")).toMatchObject({ to: "voided", ended: 1, read: true });

  const { worker } = await workerSeeing(shop, new Map([[request.platformRef, "voided"]]));
  await fulfilReads(worker);
  expect((await operationOf(shop, tenant, voidId)).state).toBe("obsolete");
});

async function aProposedVoid(tenant: ShopTenant, request: { ref: string }): Promise<string> {
  const { opId } = await proposeVoid(shop.ledger.ctx, tenant.proposer, {
    approvalId: randomUUID(),
    requestRef: request.ref,
    reason: "No longer wanted.",
    supersedesOpId: null,
    goOnReason: "Both were asked for.",
  });
  return opId;
}

test("IN-5: a completion dated after the business deadline is recorded as it is and marked late", async () => {
  const tenant = await shop.tenant("exact");
  const ref = await aKnownRequest(shop, tenant, "req_late");
  await shop.ledger.owner.request.update({
    where: { tenantId_ref: { tenantId: tenant.tenantId, ref } },
    data: { businessDeadlineAt: new Date(Date.now() - 3_600_000) },
  });
  const body = eventBody("l1", "req_late", "completed");

  expect(await receivePatiently(shop.ledger.ctx, signedDelivery(tenant, "l1", body))).toBe(
    "applied",
  );

  const [row] = await inboxOf(shop, tenant);
  expect(JSON.parse(row?.effects ?? "{}")).toMatchObject({ late: true, to: "completed" });
  const { worker } = await workerSeeing(shop, new Map([["req_late", "completed"]]));
  await fulfilReads(worker);
  expect((await reviewsOf(tenant)).map(({ reason }) => reason)).toEqual(["signed_after_deadline"]);
});

test("IN-1 IN-4 PV-2: an event with tenant B's secret about tenant A's request changes nothing of A and is set aside at B", async () => {
  const [ours, theirs] = [await shop.tenant("exact"), await shop.tenant("exact")];
  await setSecrets(shop, theirs, [{ keyId: "b1", secret: SECOND_SECRET }]);
  const ref = await aKnownRequest(shop, ours, "req_of_a");
  const before = await mirrorOf(shop, ours, ref);
  const body = eventBody("evt_b", "req_of_a", "completed");

  const atOurs = signedDelivery(ours, "evt_b", body, SECOND_SECRET);
  const atTheirs = signedDelivery(theirs, "evt_b", body, SECOND_SECRET);
  expect(await receivePatiently(shop.ledger.ctx, atOurs)).toBe("refused");
  expect(await receivePatiently(shop.ledger.ctx, atTheirs)).toBe("quarantined");

  expect(await mirrorOf(shop, ours, ref)).toEqual(before);
  expect([await inboxOf(shop, ours), await reviewsOf(ours), await ordersOf(ours)]).toEqual([
    [],
    [],
    [],
  ]);
  expect(await inboxOf(shop, theirs)).toMatchObject([{ outcome: "quarantined" }]);
  expect(await reviewsOf(theirs)).toMatchObject([
    { reason: "event_request_unknown", owner: "team:on-call" },
  ]);
});

test("IN-4: unknown types, foreign accounts, members given twice and what is no JSON are kept with an owner", async () => {
  const tenant = await shop.tenant("exact");
  await shop.ledger.owner.connection.update({
    where: { tenantId_id: { tenantId: tenant.tenantId, id: tenant.connectionId } },
    data: { platformAccount: "acc_1" },
  });
  const ref = await aKnownRequest(shop, tenant, "req_odd");
  const data = { request_id: "req_odd", status: "completed" };
  const bodies = [
    JSON.stringify({ id: "o1", type: "request.archived", data }),
    JSON.stringify({ id: "o2", type: "request.completed", account: "acc_2", data }),
    '{"type":"request.completed","type":"request.sent","data":{"request_id":"req_odd"}}',
    "<xml/>",
  ];
  for (const [place, body] of bodies.entries()) {
    const delivery = signedDelivery(tenant, `odd_${place}`, body);
    expect(await receivePatiently(shop.ledger.ctx, delivery)).toBe("quarantined");
    expect(await receivePatiently(shop.ledger.ctx, delivery)).toBe("duplicate");
  }
  const rows = await inboxOf(shop, tenant);
  expect(rows.map(({ copies, outcome }) => [copies, outcome])).toEqual(
    Array(4).fill([2, "quarantined"]),
  );
  const items = await reviewsOf(tenant);
  expect(items.map(({ reason }) => reason).sort()).toEqual([
    "event_duplicate_members",
    "event_foreign_account",
    "event_malformed",
    "event_type_unknown",
  ]);
  expect(items.every(({ owner }) => owner === "team:admins")).toBe(true);
  expect((await mirrorOf(shop, tenant, ref)).mirrorStatus).toBe("sent");
});

test("IN-5: an event never lowers an open status; a read does, and a person hears of it", async () => {
  const tenant = await shop.tenant("exact");
  const ref = await aKnownRequest(shop, tenant, "req_lowered", "partially_signed");
  const body = eventBody("low1", "req_lowered", "viewed");
  expect(await receivePatiently(shop.ledger.ctx, signedDelivery(tenant, "low1", body))).toBe(
    "no_change",
  );
  expect((await mirrorOf(shop, tenant, ref)).mirrorStatus).toBe("partially_signed");
  expect(await ordersOf(tenant)).toEqual([]);

  const again = eventBody("low2", "req_lowered", "partially_signed", { type: "request.signed" });
  await receivePatiently(shop.ledger.ctx, signedDelivery(tenant, "low2", again));
  const { worker } = await workerSeeing(shop, new Map([["req_lowered", "viewed"]]));
  await fulfilReads(worker);
  expect((await mirrorOf(shop, tenant, ref)).mirrorStatus).toBe("viewed");
  const [item] = await reviewsOf(tenant);
  expect(item).toMatchObject({ reason: "drift_status", requestRef: ref });
  expect(JSON.parse(item?.evidence ?? "{}")).toMatchObject({ a: "partially_signed", b: "viewed" });
});
