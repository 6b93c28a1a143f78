import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asTenant } from "@/lib/store/db";
import { waitUntil } from "@/lib/testing/processes";
import { anApprovedSend } from "@/lib/testing/sends";
import { letters } from "@/lib/testing/tenants";
import { makeDue, setPolicy, timersOf } from "@/lib/testing/timers";
import {
  killWorker,
  startWorker,
  untilState,
  type WorkerProcess,
} from "@/lib/testing/worker-process";
import {
  approveNow,
  effectsOf,
  inDays,
  openWorkshop,
  operationOf,
  type ShopTenant,
  type Workshop,
  wishOf,
} from "@/lib/testing/workshop";
import { planTimers } from "./plan-timers";
import { proposeSend } from "./propose-send";

/** Both schedulers run from beginning to end: what is due is there for both in the same moment. */
let shop: Workshop;
let workers: readonly WorkerProcess[] = [];

beforeAll(async () => {
  shop = await openWorkshop();
  workers = await Promise.all([startWorker(shop, "old"), startWorker(shop, "new")]);
});
afterAll(async () => {
  await Promise.all(workers.map(killWorker));
  await shop.close();
});

/** Calls have time enough on a busy machine: one that is given up is another scenario. */
function aPatientTenant(): Promise<ShopTenant> {
  return shop.tenant("exact", { callTimeoutMs: 8_000, leaseMs: 30_000 });
}

const REQUESTS = 6;

interface Sent {
  readonly ref: string;
  readonly opId: string;
  readonly platformRef: string;
}

/** Requests of one tenant whose reminders are planned for every day. */
function sentRequests(tenant: ShopTenant, count = REQUESTS): Promise<Sent[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const { opId, ref } = await anApprovedSend(shop, tenant, inDays(6));
      const { platformRef } = await untilState(shop, tenant, opId, "done");
      return { opId, ref, platformRef: platformRef ?? "" };
    }),
  );
}

async function makeFirstDue(tenant: ShopTenant, sent: readonly Sent[], count: number) {
  const due: string[] = [];
  for (const { ref } of sent) {
    const timers = await timersOf(shop, tenant.tenantId, ref);
    due.push(...timers.slice(0, count).map(({ opId }) => opId));
  }
  await makeDue(shop, tenant.tenantId, due);
  return due;
}

/** The scheduler that runs a second time plans everything that it finds once more. */
async function replay(tenant: ShopTenant, sent: readonly Sent[]) {
  const worker = await shop.worker();
  for (const { ref, opId } of sent) {
    const planned = await timersOf(shop, tenant.tenantId, ref);
    const wanted = planned.map(({ occurrence, dueAt }) => ({
      kind: "remind" as const,
      occurrence: occurrence ?? 0,
      dueAt: new Date(Math.max(dueAt.getTime(), Date.now() + 60_000)).toISOString(),
      policyVersion: 2,
      deadline: null,
    }));
    const plan = { requestRef: ref, planId: opId, approvedWithOpId: opId };
    await asTenant(worker.db, tenant.tenantId, (tx) =>
      planTimers(tx, tenant.tenantId, plan, wanted),
    );
  }
}

function untilSettled(tenant: ShopTenant, due: readonly string[]) {
  const settled = ["done", "obsolete", "quarantined"];
  return waitUntil(
    async () => {
      const rows = await Promise.all(due.map((opId) => operationOf(shop, tenant, opId)));
      return rows.every(({ state }) => settled.includes(state)) ? rows : null;
    },
    { timeoutMs: 60_000, what: "every reminder that was due is settled" },
  );
}

test("scenario: reminder storm; two schedulers, each reminder planned twice, and every signer hears once", async () => {
  const tenant = await aPatientTenant();
  await setPolicy(shop, tenant, "remind", { everyDays: 1, minIntervalHours: 0 });
  const sent = await sentRequests(tenant);
  await replay(tenant, sent);
  const due = await makeFirstDue(tenant, sent, 2);
  await replay(tenant, sent);
  const rows = await untilSettled(tenant, due);
  expect(rows.map(({ state, reason }) => [state, reason])).toEqual(
    sent.flatMap(() => [
      ["obsolete", "collapsed_after_pause"],
      ["done", "effect_confirmed"],
    ]),
  );
  for (const { platformRef } of sent) {
    const reminded = await effectsOf(shop, tenant, { requestId: platformRef, kind: "reminded" });
    expect(reminded.map(({ source }) => source)).toEqual(["api"]);
  }
});

test("scenario: reminder storm; the platform's own reminders are on, so that none of ours goes out and a person is told", async () => {
  const tenant = await aPatientTenant();
  await setPolicy(shop, tenant, "remind", { everyDays: 1, minIntervalHours: 0 });
  const sent = await sentRequests(tenant);
  for (const { platformRef } of sent) {
    const deed = { change: "set_reminders", on: true } as const;
    await shop.sandbox.control.act(tenant.account.id, platformRef, deed);
  }
  const due = await makeFirstDue(tenant, sent, 1);
  const rows = await untilSettled(tenant, due);
  for (const { state, reason, owner } of rows) {
    expect([state, reason]).toEqual(["quarantined", "platform_also_reminds"]);
    expect(owner).toBe(`account:${tenant.proposer.id}`);
  }
  expect(await effectsOf(shop, tenant, { kind: "reminded" })).toEqual([]);
});

test("RM-1: a send that leaves reminding to the platform plans none of ours, and switches the platform's on", async () => {
  const tenant = await aPatientTenant();
  await setPolicy(shop, tenant, "remind", { everyDays: 1, reminderOwner: "platform" });
  const requestRef = `req_${letters()}`;
  const { opId } = await proposeSend(shop.ledger.ctx, tenant.proposer, {
    approvalId: randomUUID(),
    requestRef,
    connectionId: tenant.connectionId,
    documents: [{ digest: "d".repeat(64), version: 1 }],
    signers: [{ name: "Pat Example", email: "pat@sign.invalid", role: "signer", order: 1 }],
    title: "A contract",
    ...wishOf(inDays(4)),
    reminders: {},
  });
  await approveNow(shop, tenant, opId, null);
  await untilState(shop, tenant, opId, "done");
  expect(await timersOf(shop, tenant.tenantId, requestRef)).toEqual([]);
  const request = await shop.ledger.owner.request.findFirstOrThrow({ where: { ref: requestRef } });
  expect(request).toMatchObject({ reminderOwner: "platform", mirrorPlatformReminders: true });
});

test("RM-3 race: Reminder queued, signer then signs; both schedulers fire after it and nobody is reminded", async () => {
  const tenant = await aPatientTenant();
  await setPolicy(shop, tenant, "remind", { everyDays: 1, minIntervalHours: 0 });
  const sent = await sentRequests(tenant, 1);
  for (const { platformRef } of sent) {
    await shop.sandbox.control.act(tenant.account.id, platformRef, { change: "complete" });
  }
  const due = await makeFirstDue(tenant, sent, 1);
  const [row] = await untilSettled(tenant, due);
  expect(row).toMatchObject({ state: "obsolete", attempts: 0 });
  expect(await effectsOf(shop, tenant, { kind: "reminded" })).toEqual([]);
});
