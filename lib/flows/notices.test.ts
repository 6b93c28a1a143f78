import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { GATHER_MS, NOTICE_LEASE_MS, type NoticeWish, QUIET_AFTER_MS } from "@/lib/domain/notice";
import type { Role } from "@/lib/domain/role";
import { instantOf, localOf } from "@/lib/domain/zone";
import { asTenant } from "@/lib/store/db";
import { reportNotice } from "@/lib/store/notice-deliveries";
import { mailerAt, type NoticeShop, openNoticeShop } from "@/lib/testing/notices";
import type { ReceivedMail } from "@/lib/testing/smtp-server";
import { aMember, aTenant, type TestTenant } from "@/lib/testing/tenants";
import { approveNow, aRealRequest, inDays, wishOf } from "@/lib/testing/workshop";
import { claimDueNotices, dispatchNotice } from "./dispatch-notices";
import { planNotices } from "./plan-notices";
import { proposeExtension } from "./propose-extension";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let desk: NoticeShop;
let tenant: TestTenant;
beforeAll(async () => {
  desk = await openNoticeShop();
});
afterAll(() => desk.close());
beforeEach(async () => {
  tenant = await aTenant(desk.shop.ledger.owner);
  desk.smtp.mails.length = 0;
  desk.smtp.answer(null);
});

const owner = () => desk.shop.ledger.owner;

/** A member with an address that nobody else has. */
async function member(role: Role): Promise<{ readonly id: string; readonly address: string }> {
  const { id } = await aMember(owner(), tenant.tenantId, role);
  return { id, address: `${id}@accounts.invalid` };
}

function opened(changes: Partial<NoticeWish> & { count?: number } = {}): NoticeWish {
  const { count = 1, ...wish } = changes;
  return {
    matter: "team:on-call possible_duplicate review_opened",
    audience: { owner: "team:on-call" },
    kind: "review_opened",
    escalation: false,
    subject: {
      reason: "possible_duplicate",
      consequence: "critical",
      count,
      path: "/reviews?reason=possible_duplicate",
      losesAt: "2027-06-15T15:00:00Z",
    },
    ...wish,
  };
}

/** Something of this reason is open, so that the matter is. */
function anOpenItem(reason = "possible_duplicate"): Promise<unknown> {
  return owner().reviewItem.create({
    data: {
      tenantId: tenant.tenantId,
      id: randomUUID(),
      reason,
      owner: "team:on-call",
      evidence: "{}",
    },
  });
}

/** Queues, lets it gather and tells. */
async function tell(wish: NoticeWish): Promise<void> {
  await desk.queue(tenant.tenantId, wish);
  await desk.later(GATHER_MS);
  await desk.pass();
}

const recipients = (mails: readonly ReceivedMail[] = desk.smtp.mails) =>
  mails.flatMap(({ to }) => to).sort();

const deliveries = () =>
  owner().noticeDelivery.findMany({
    where: { tenantId: tenant.tenantId },
    orderBy: { createdAt: "asc" },
  });

const failedItems = () =>
  owner().reviewItem.findMany({
    where: { tenantId: tenant.tenantId, reason: "notification_failed" },
  });

/** Lets everything that waits for its next try be due. */
const comeDue = () =>
  owner().noticeDelivery.updateMany({
    where: { tenantId: tenant.tenantId, state: "retrying" },
    data: { nextTryAt: new Date(0) },
  });

test("OB-2: a storm of 500 items is one mail with their count to each of the team, and not to who left", async () => {
  await anOpenItem();
  const team = [await member("on_call"), await member("on_call")];
  await member("compliance");
  const gone = await member("on_call");
  await owner().membership.updateMany({
    where: { accountId: gone.id },
    data: { removedAt: new Date() },
  });
  await Promise.all(
    Array.from({ length: 50 }, () => desk.queue(tenant.tenantId, opened({ count: 10 }))),
  );
  await desk.pass();
  expect(desk.smtp.mails).toEqual([]);
  await desk.later(GATHER_MS);
  await desk.pass();
  expect(recipients()).toEqual(team.map(({ address }) => address).sort());
  expect(desk.smtp.mails[0]?.subject).toBe(
    "[Deadline Ledger] 500 items wait for a decision: possible duplicate",
  );
  await tell(opened());
  expect(desk.smtp.mails).toHaveLength(2);
});

test("OB-2: a matter is told again after it was quiet, and after nothing of it was open any more", async () => {
  await anOpenItem();
  await member("on_call");
  await tell(opened());
  await desk.later(QUIET_AFTER_MS);
  await tell(opened());
  expect(desk.smtp.mails).toHaveLength(2);
  await tell(opened());
  expect(desk.smtp.mails).toHaveLength(2);
  await owner().reviewItem.updateMany({
    where: { tenantId: tenant.tenantId },
    data: { settledAt: new Date() },
  });
  await desk.pass();
  await anOpenItem();
  await tell(opened());
  expect(desk.smtp.mails).toHaveLength(3);
  const notices = await owner().notice.findMany({
    where: { tenantId: tenant.tenantId },
    orderBy: { openedAt: "asc" },
  });
  expect(notices.map(({ closedWhy, count }) => [closedWhy, count])).toEqual([
    ["quiet", 1],
    ["settled", 2],
    [null, 1],
  ]);
});

test("OB-2: what is settled before its message leaves is not sent", async () => {
  const item = await anOpenItem();
  await member("on_call");
  await desk.queue(tenant.tenantId, opened());
  await owner().reviewItem.updateMany({
    where: { tenantId: tenant.tenantId },
    data: { settledAt: new Date() },
  });
  await desk.later(GATHER_MS);
  await desk.pass();
  expect(item).toBeTruthy();
  expect(desk.smtp.mails).toEqual([]);
});

test("OB-2: who is on call now is told alone; where the rota has a gap, the whole team is", async () => {
  await anOpenItem();
  const [onCall, other] = [await member("on_call"), await member("on_call")];
  const [{ now } = { now: new Date() }] = await desk.pools.owner.$queryRaw<
    { now: Date }[]
  >`SELECT ledger_now() AS now`;
  await owner().rotaShift.create({
    data: {
      tenantId: tenant.tenantId,
      id: randomUUID(),
      team: "team:on-call",
      accountId: onCall.id,
      startsAt: new Date(now.getTime() - HOUR),
      endsAt: new Date(now.getTime() + HOUR),
      createdBy: onCall.id,
    },
  });
  await tell(opened());
  expect(recipients()).toEqual([onCall.address]);
  await desk.later(HOUR);
  desk.smtp.mails.length = 0;
  await tell(opened());
  expect(recipients()).toEqual([onCall.address, other.address].sort());
});

test("OB-2: quiet hours in the person's zone hold a notice until they end, and never an escalation", async () => {
  await anOpenItem();
  const zone = "Asia/Kolkata";
  const sleeper = await member("on_call");
  await owner().account.update({ where: { id: sleeper.id }, data: { zone } });
  const [{ now } = { now: new Date() }] = await desk.pools.owner.$queryRaw<
    { now: Date }[]
  >`SELECT ledger_now() AS now`;
  const wall = (ms: number) => localOf(zone, instantOf(now.getTime() + ms)).time.slice(0, 5);
  await owner().noticePreference.create({
    data: { accountId: sleeper.id, quietFrom: wall(-HOUR), quietUntil: wall(2 * HOUR) },
  });
  await tell(opened());
  await desk.later(HOUR);
  // It joins the one that is held, and is told along.
  await tell(opened({ count: 2 }));
  expect(desk.smtp.mails).toEqual([]);
  await tell(opened({ kind: "review_escalated", escalation: true, matter: "escalated" }));
  expect(desk.smtp.mails.map(({ subject }) => subject)).toEqual([
    "[Deadline Ledger] Escalation: 1 item waits too long and comes to you: possible duplicate",
  ]);
  await desk.later(HOUR);
  await desk.pass();
  expect(desk.smtp.mails.map(({ subject }) => subject).slice(1)).toEqual([
    "[Deadline Ledger] 3 items wait for a decision: possible duplicate",
  ]);
  expect((await deliveries()).map(({ tries, state }) => [tries, state])).toEqual([
    [1, "delivered"],
    [1, "delivered"],
  ]);
});

test("OB-2: mail that the server does not take now arrives once, when it takes mail again", async () => {
  await anOpenItem();
  await member("on_call");
  await desk.queue(tenant.tenantId, opened());
  await desk.later(GATHER_MS);
  await desk.pass({ mail: mailerAt("smtp://127.0.0.1:1") });
  await comeDue();
  desk.smtp.answer({ at: "greeting", status: 421 });
  await desk.pass();
  await comeDue();
  desk.smtp.answer({ at: "data", status: 451 });
  await desk.pass();
  const [waiting] = await deliveries();
  expect(waiting).toMatchObject({
    state: "retrying",
    tries: 3,
    lastError: "deferred",
    lastStatus: 451,
  });
  expect(desk.smtp.mails).toEqual([]);
  await comeDue();
  desk.smtp.answer(null);
  await desk.pass();
  await comeDue();
  await desk.pass();
  expect(desk.smtp.mails).toHaveLength(1);
  expect(await failedItems()).toEqual([]);
});

test("OB-2 RV-1: who is not reached in the allowed tries is a review item, and the next in line is told at any hour", async () => {
  await anOpenItem();
  const [lost, admin] = [await member("on_call"), await member("admin")];
  await owner().noticePreference.create({
    data: { accountId: admin.id, quietFrom: "00:00", quietUntil: "23:59" },
  });
  desk.smtp.answer({ at: "recipient", status: 550 });
  await desk.queue(tenant.tenantId, opened());
  await desk.later(GATHER_MS);
  const claimed = await claimFirst();
  expect(claimed.accountId).toBe(lost.id);
  await dispatchNotice(desk.worker, desk.ways, claimed);
  expect(await deliveries()).toMatchObject([{ state: "refused", tries: 1, lastStatus: 550 }]);
  desk.smtp.answer(null);
  await desk.pass();
  expect(recipients()).toEqual([admin.address]);
  expect(desk.smtp.mails[0]?.subject).toContain("1 item of which nobody could be told");
  const items = await failedItems();
  expect(items).toMatchObject([{ owner: "team:on-call", settledAt: null }]);
  expect(items[0]?.evidence).not.toContain(lost.id);
});

test("OB-2: a server that is down for long leads to the next in line, and the item settles when the mail arrives after all", async () => {
  await anOpenItem();
  await member("on_call");
  await member("admin");
  desk.smtp.answer({ at: "greeting", status: 421 });
  await desk.queue(tenant.tenantId, opened());
  await desk.later(GATHER_MS);
  for (let round = 0; round < 8; round += 1) {
    await desk.pass();
    await comeDue();
  }
  expect(await failedItems()).toMatchObject([{ settledAt: null }]);
  const notices = await owner().notice.findMany({ where: { tenantId: tenant.tenantId } });
  expect(notices.map(({ audience }) => audience).sort()).toEqual(["team:admins", "team:on-call"]);
  desk.smtp.answer(null);
  await desk.pass();
  expect(desk.smtp.mails).toHaveLength(2);
  const [item] = await failedItems();
  expect(item?.settledAt).not.toBeNull();
});

/** Plans what is queued and claims the first delivery. */
async function claimFirst() {
  await planNotices(desk.worker, true);
  const [claimed] = await claimDueNotices(desk.worker, 1);
  if (!claimed) throw new Error("nothing was due");
  return claimed;
}

test("OB-2: a worker that dies between sending and recording sends the same message again under the same Message-ID", async () => {
  await anOpenItem();
  await member("on_call");
  await desk.queue(tenant.tenantId, opened());
  await desk.later(GATHER_MS);
  const claimed = await claimFirst();
  const { mail } = desk.ways;
  const dying = dispatchNotice(
    desk.worker,
    {
      ...desk.ways,
      mail: mail && {
        ...mail,
        send: async (call) => {
          await mail.send(call);
          throw new Error("the process ended here");
        },
      },
    },
    claimed,
  );
  await expect(dying).rejects.toThrow("ended here");
  // More joins meanwhile; the repeat says what the first one said.
  await desk.queue(tenant.tenantId, opened({ count: 5 }));
  await desk.pass();
  expect(desk.smtp.mails).toHaveLength(1);
  await desk.later(NOTICE_LEASE_MS);
  await desk.pass();
  const [first, again] = desk.smtp.mails;
  expect(desk.smtp.mails).toHaveLength(2);
  expect(again?.messageId).toBe(first?.messageId);
  expect(first?.messageId).toBe(`<${claimed.id}@deadline.invalid>`);
  expect(bodyOf(again)).toBe(bodyOf(first));
  // What the dead one would have said is not taken any more.
  const late = { id: claimed.id, workerId: desk.worker.worker.id, attempt: claimed.attempt };
  const took = await asTenant(desk.pools.worker, tenant.tenantId, (tx) =>
    reportNotice(tx, tenant.tenantId, {
      ...late,
      outcome: "refused",
      status: 550,
      to: "refused",
      nextInMs: 0,
    }),
  );
  expect(took).toBe(false);
  expect(await deliveries()).toMatchObject([{ state: "delivered", attempts: 2 }]);
});

/** The plain text; the boundary between the parts differs from mail to mail. */
function bodyOf(mail: ReceivedMail | undefined): string {
  return mail?.raw.split("text/plain")[1]?.split("\r\n--")[0] ?? "";
}

test("OB-2 AP-1: approvers who are waited for get one mail with the count, the proposer none, and again after all was decided", async () => {
  const shopTenant = await desk.shop.tenant("exact");
  const { tenantId, proposer, approver } = shopTenant;
  const propose = async () => {
    const request = await aRealRequest(desk.shop, shopTenant, inDays(20));
    const { opId } = await proposeExtension(desk.shop.ledger.ctx, proposer, {
      approvalId: randomUUID(),
      requestRef: request.ref,
      ...wishOf(inDays(30)),
      reason: "The counterparty needs more time.",
      supersedesOpId: null,
    });
    return { opId, receiptId: request.receiptId };
  };
  const proposals = [await propose(), await propose()];
  await desk.pass();
  await desk.later(GATHER_MS);
  await desk.pass();
  expect(desk.smtp.mails.map(({ to, subject }) => [to, subject])).toEqual([
    [[`${approver.id}@accounts.invalid`], "[Deadline Ledger] 2 proposals wait for your approval"],
  ]);
  for (const { opId, receiptId } of proposals) {
    await approveNow(desk.shop, shopTenant, opId, receiptId);
  }
  await desk.pass();
  const matters = await owner().notice.findMany({ where: { tenantId } });
  expect(matters.map(({ closedWhy }) => closedWhy)).toEqual(["settled"]);
  await propose();
  await desk.pass();
  await desk.later(GATHER_MS);
  await desk.pass();
  expect(desk.smtp.mails.map(({ subject }) => subject).slice(1)).toEqual([
    "[Deadline Ledger] 1 proposal waits for your approval",
  ]);
});

test("OB-2: without a mail server and without endpoints nothing is sent, and the notice says so instead of failing", async () => {
  await anOpenItem();
  await member("on_call");
  await desk.queue(tenant.tenantId, opened());
  await desk.later(GATHER_MS);
  await desk.pass({ mail: null });
  const notices = await owner().notice.findMany({ where: { tenantId: tenant.tenantId } });
  expect(notices).toMatchObject([{ silent: true, unreachedAt: null }]);
  expect(await failedItems()).toEqual([]);
});

test("PV-4: no mail, log line or stored row of a notice holds an address, a name, a document's name or a platform's link", async () => {
  const shopTenant = await desk.shop.tenant("exact");
  const request = await aRealRequest(desk.shop, shopTenant, inDays(20));
  await proposeExtension(desk.shop.ledger.ctx, shopTenant.proposer, {
    approvalId: randomUUID(),
    requestRef: request.ref,
    ...wishOf(inDays(30)),
    reason: "Canary reason words.",
    supersedesOpId: null,
  });
  desk.smtp.answer({ at: "recipient", status: 550 });
  await desk.pass();
  await desk.later(GATHER_MS);
  await desk.pass();
  desk.smtp.answer(null);
  await desk.pass();
  const { approver, tenantId } = shopTenant;
  const rows = JSON.stringify([
    await owner().notice.findMany({ where: { tenantId } }),
    await owner().noticeDelivery.findMany({ where: { tenantId } }),
    await owner().reviewItem.findMany({ where: { tenantId } }),
    desk.logged,
  ]);
  expect(rows).toContain(approver.id);
  expect(rows).not.toContain("accounts.invalid");
  await tell(opened());
  const sent = desk.smtp.mails.map(({ raw }) => raw.replace(/^To: .*$/m, ""));
  for (const text of [rows, ...sent]) {
    for (const canary of [
      "pat@sign.invalid",
      "Pat",
      "A contract",
      "Canary",
      request.platformRef,
      "accounts.invalid",
    ]) {
      expect(text).not.toContain(canary);
    }
  }
});
