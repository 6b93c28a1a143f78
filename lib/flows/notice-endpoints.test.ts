import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { GATHER_MS } from "@/lib/domain/notice";
import type { Refusal } from "@/lib/domain/refusal";
import { createDelivery } from "@/lib/providers/delivery";
import { myNotices } from "@/lib/queries/my-notices";
import { noticeSettingsPage } from "@/lib/queries/notice-settings-page";
import { asAccount } from "@/lib/store/db";
import { type NoticeShop, openNoticeShop } from "@/lib/testing/notices";
import { aMember, aTenant, type TestTenant } from "@/lib/testing/tenants";
import type { Actor, ConsoleContext } from "./context";
import {
  addNoticeEndpoint,
  saveNoticeEndpoint,
  switchNoticeEndpoint,
} from "./save-notice-endpoint";
import { saveNoticePreferences } from "./save-notice-preferences";
import { sendTestToEndpoint, sendTestToPerson } from "./send-test-notice";

let desk: NoticeShop;
let ctx: ConsoleContext;
let tenant: TestTenant;
let admin: Actor & { kind: "user" };
beforeAll(async () => {
  desk = await openNoticeShop();
  const { ledger, sandbox } = desk.shop;
  ctx = { ...ledger.ctx, deliveryTargets: [new URL(sandbox.url).host], mailIsOn: true };
});
afterAll(() => desk.close());
beforeEach(async () => {
  const { owner } = desk.shop.ledger;
  tenant = await aTenant(owner);
  admin = await aMember(owner, tenant.tenantId, "admin");
  await owner.reviewItem.create({
    data: {
      tenantId: tenant.tenantId,
      id: randomUUID(),
      reason: "possible_duplicate",
      owner: "team:on-call",
      evidence: "{}",
    },
  });
  desk.smtp.mails.length = 0;
});

/** A receiver of the sandbox that nobody else uses. */
async function receiver(
  settings: object = {},
): Promise<{ readonly name: string; readonly url: string }> {
  const name = `r-${randomBytes(6).toString("hex")}`;
  await desk.shop.sandbox.control.putReceiver(name, { secrets: [], ...settings });
  return { name, url: `${desk.shop.sandbox.url}/receiver/${name}` };
}

const received = (name: string) => desk.shop.sandbox.control.received(name);

async function tell(): Promise<void> {
  await desk.queue(tenant.tenantId, {
    matter: "team:on-call possible_duplicate",
    audience: { owner: "team:on-call" },
    kind: "review_opened",
    escalation: false,
    subject: { reason: "possible_duplicate", count: 3, path: "/reviews" },
  });
  await desk.later(GATHER_MS);
  await desk.pass();
}

const endpointsNow = async () => (await noticeSettingsPage(ctx, tenant.tenantId)).endpoints;

function refusal(code: string) {
  return expect.objectContaining({ code }) as Refusal;
}

test("OB-2: a chat gets words and a webhook signed codes, each once, of the teams that were chosen", async () => {
  const [chat, hook, other] = [await receiver(), await receiver(), await receiver()];
  const add = (kind: "chat" | "webhook", url: string, team: "team:on-call" | "team:compliance") =>
    addNoticeEndpoint(ctx, admin, { name: `e-${url.slice(-6)}`, kind, url, teams: [team] });
  expect((await add("chat", chat.url, "team:on-call")).secret).toBeNull();
  const { secret } = await add("webhook", hook.url, "team:on-call");
  await add("chat", other.url, "team:compliance");
  await desk.shop.sandbox.control.putReceiver(hook.name, { secrets: [secret ?? ""] });
  await tell();
  const [message, ...more] = await received(chat.name);
  expect(more).toEqual([]);
  expect(JSON.parse(message?.body ?? "").text).toContain(
    "*3 items wait for a decision: possible duplicate*",
  );
  const [event] = await received(hook.name);
  expect(event).toMatchObject({ verified: true, signatures: 1 });
  expect(JSON.parse(event?.body ?? "")).toMatchObject({
    type: "notice.review_opened",
    data: { count: 3, owner: "team:on-call", reason: "possible_duplicate" },
  });
  expect(await received(other.name)).toEqual([]);
  // Nobody of the team has a way, but the tenant was reached.
  const [told] = (await noticeSettingsPage(ctx, tenant.tenantId)).recent;
  expect(told).toMatchObject({ state: "reached", audience: "the on-call engineers" });
});

test("OB-2: a repeat at a webhook has the same id and the same bytes; a redirect is not followed; gone stops it", async () => {
  const hook = await receiver({ status: 500, times: 1 });
  const { id } = await addNoticeEndpoint(ctx, admin, {
    name: "hook",
    kind: "webhook",
    url: hook.url,
    teams: [],
  });
  const due = () =>
    desk.shop.ledger.owner.noticeDelivery.updateMany({
      where: { tenantId: tenant.tenantId, state: "retrying" },
      data: { nextTryAt: new Date(0) },
    });
  await tell();
  await due();
  await desk.pass();
  const [first, again] = await received(hook.name);
  expect(again).toMatchObject({ webhook_id: first?.webhook_id, body: first?.body });
  const elsewhere = await receiver();
  await desk.shop.sandbox.control.putReceiver(hook.name, {
    secrets: [],
    status: 307,
    times: 1,
    location: elsewhere.url,
  });
  await sendTestToEndpoint(ctx, admin, id);
  await desk.pass();
  expect(await received(elsewhere.name)).toEqual([]);
  expect(await endpointsNow()).toMatchObject([{ lastWords: "307, redirect, not followed" }]);
  await desk.shop.sandbox.control.putReceiver(hook.name, { secrets: [], status: 410 });
  await due();
  await desk.pass();
  expect(await endpointsNow()).toMatchObject([
    { state: "gone", lastWords: '410, answered "gone"' },
  ]);
  await expect(sendTestToEndpoint(ctx, admin, id)).rejects.toEqual(
    refusal("notice_endpoint_stopped"),
  );
});

test("PV-6: no internal address is taken, nor reached when the installation no longer allows it; only admins manage", async () => {
  const internal = { kind: "chat" as const, teams: [] };
  for (const url of ["https://169.254.169.254/x", "https://localhost/x", "https://[::1]/x"]) {
    await expect(
      addNoticeEndpoint(ctx, admin, { ...internal, name: "inside", url }),
    ).rejects.toEqual(refusal("delivery_target_refused"));
  }
  const hook = await receiver();
  const { id } = await addNoticeEndpoint(ctx, admin, {
    ...internal,
    name: "inside",
    url: hook.url,
  });
  await sendTestToEndpoint(ctx, admin, id);
  await desk.pass({ deliver: createDelivery({ allowedTargets: [] }) });
  expect(await received(hook.name)).toEqual([]);
  expect(await endpointsNow()).toMatchObject([{ state: "target_refused" }]);
  const member = await aMember(desk.shop.ledger.owner, tenant.tenantId, "on_call");
  const denied = refusal("not_permitted");
  await expect(switchNoticeEndpoint(ctx, member, id, "active")).rejects.toEqual(denied);
  await expect(sendTestToEndpoint(ctx, member, id)).rejects.toEqual(denied);
  await expect(saveNoticeEndpoint(ctx, member, id, { name: "x", teams: [] })).rejects.toEqual(
    denied,
  );
  await switchNoticeEndpoint(ctx, admin, id, "active");
  expect(await endpointsNow()).toMatchObject([{ state: "active" }]);
});

test("OB-2: a person chooses ways and quiet hours, a test comes by all of them at any hour, and tests are bounded", async () => {
  const chat = await receiver();
  await saveNoticePreferences(ctx, admin.id, {
    mail: true,
    mailTo: "other@accounts.invalid",
    chat: true,
    chatUrl: chat.url,
    quiet: { from: "00:00", until: "23:59" },
  });
  await sendTestToPerson(ctx, admin.id);
  await desk.pass();
  expect(desk.smtp.mails).toMatchObject([
    { to: ["other@accounts.invalid"], subject: "[Deadline Ledger] Test message" },
  ]);
  expect(await received(chat.name)).toHaveLength(1);
  const mine = await myNotices(ctx, admin.id);
  expect(mine).toMatchObject({
    mailTo: "other@accounts.invalid",
    chatHost: new URL(chat.url).host,
    quiet: { from: "00:00", until: "23:59" },
  });
  expect(mine.lastTest.map(({ channel, state }) => [channel, state])).toEqual([
    ["mail", "delivered"],
    ["chat", "delivered"],
  ]);
  // What is left out stays.
  await saveNoticePreferences(ctx, admin.id, { mail: false, chat: true, quiet: null });
  expect(await myNotices(ctx, admin.id)).toMatchObject({
    mail: false,
    mailTo: "other@accounts.invalid",
    chatHost: new URL(chat.url).host,
    quiet: null,
  });
  for (let more = 0; more < 5; more += 1) await sendTestToPerson(ctx, admin.id);
  await expect(sendTestToPerson(ctx, admin.id)).rejects.toEqual(refusal("notice_tests_too_many"));
});

test("PV-3: addresses of people and endpoints are sealed, and how one person is told is nothing for the console of another", async () => {
  const { owner } = desk.shop.ledger;
  await saveNoticePreferences(ctx, admin.id, {
    mail: true,
    mailTo: "other@accounts.invalid",
    chat: false,
    quiet: null,
  });
  const hook = await receiver();
  await addNoticeEndpoint(ctx, admin, { name: "hook", kind: "webhook", url: hook.url, teams: [] });
  const stored = JSON.stringify([
    await owner.noticePreference.findMany({ where: { accountId: admin.id } }),
    await owner.noticeEndpoint.findMany({ where: { tenantId: tenant.tenantId } }),
    await owner.controlEvent.findMany({ where: { tenantId: tenant.tenantId } }),
  ]);
  expect(stored).not.toContain("other@accounts.invalid");
  expect(stored).not.toContain(hook.name);
  const stranger = await aMember(owner, (await aTenant(owner)).tenantId);
  const seen = await asAccount(ctx.db, stranger.id, (tx) => tx.noticePreference.findMany());
  expect(seen).toEqual([]);
  const changed = await asAccount(ctx.db, stranger.id, (tx) =>
    tx.noticePreference.updateMany({ where: { accountId: admin.id }, data: { mail: false } }),
  );
  expect(changed.count).toBe(0);
});
