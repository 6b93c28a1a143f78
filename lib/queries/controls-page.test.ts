import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { changeMode } from "@/lib/flows/change-mode";
import { pause } from "@/lib/flows/pause";
import { aRequest, aTenant, operationIn, type TestTenant } from "@/lib/testing/factories";
import { aMember, type TestLedger, testLedger } from "@/lib/testing/tenants";
import { controlsPage } from "./controls-page";
import { pauseScopes } from "./pause-scopes";
import { pulse } from "./pulse";

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await testLedger();
});
afterAll(() => ledger.close());

/** A worker that lives, and when it has seen the controls last. */
async function aWorker(controlsSeenAt: Date | null): Promise<string> {
  const id = randomUUID();
  const startedAt = new Date(Date.now() - 3_600_000);
  await ledger.owner.worker.create({
    data: {
      id,
      name: `w-${id.slice(0, 4)}`,
      build: "test",
      sessionKey: BigInt(Math.floor(Math.random() * 2 ** 50)),
      startedAt,
      controlsSeenAt,
    },
  });
  return id;
}

async function aBusyTenant(): Promise<TestTenant> {
  const tenant = await aTenant(ledger.owner);
  const { owner } = ledger;
  await operationIn(owner, tenant, await aRequest(owner, tenant), "scheduled");
  await operationIn(owner, tenant, await aRequest(owner, tenant), "scheduled");
  await operationIn(owner, tenant, await aRequest(owner, tenant), "submitting");
  await operationIn(owner, tenant, await aRequest(owner, tenant), "done", { ageMs: 120_000 });
  return tenant;
}

test("BL-6: the page tells what a switch holds, the last start, and how many workers have seen it", async () => {
  const tenant = await aBusyTenant();
  const { ctx } = ledger;
  const onCall = await aMember(ledger.owner, tenant.id, "on_call");
  const before = await pauseScopes(ctx.db, tenant.id);
  const whole = before.scopes.find(({ scope }) => scope === "tenant");
  expect(whole).toMatchObject({ scheduled: 2, finishing: 1, paused: false });

  await aWorker(null);
  await pause(ctx, onCall, {
    scope: { scope: "connection", connectionId: tenant.connectionId },
    reason: "5xx storm",
    reviewAfter: "1h",
  });
  await aWorker(new Date(Date.now() + 1_000));
  const { switches, log } = await controlsPage(ctx, tenant.id, onCall.id);
  expect(switches).toMatchObject([
    {
      words: `connection ${tenant.connectionName}`,
      by: "on-call engineer",
      reason: "5xx storm",
      askedToResume: false,
      held: [
        { kind: "extend", state: "scheduled", count: 2 },
        { kind: "extend", state: "submitting", count: 1 },
      ],
      workers: { confirmed: 1, total: 2 },
    },
  ]);
  expect(switches[0]?.lastStart?.afterMs).toBeLessThanOrEqual(0);
  expect(log.map(({ sentence }) => sentence)).toEqual([
    `Paused connection ${tenant.connectionName}.`,
  ]);
  const after = await pauseScopes(ctx.db, tenant.id);
  expect(after.scopes.filter(({ paused }) => paused)).toMatchObject([{ scope: "connection" }]);
});

test("PV-3: the reason of a switch is read from the vault once, however many pages ask for it", async () => {
  const tenant = await aTenant(ledger.owner);
  const onCall = await aMember(ledger.owner, tenant.id, "on_call");
  const { ctx } = ledger;
  await pause(ctx, onCall, {
    scope: { scope: "tenant" },
    reason: "Slow reads.",
    reviewAfter: null,
  });
  const account = { id: onCall.id, role: "on_call" as const };
  for (let n = 0; n < 3; n += 1) {
    const { pauses } = await pulse(ctx, tenant.id, account);
    expect(pauses.map(({ reason }) => reason)).toEqual(["Slow reads."]);
  }
  const reads = await ledger.owner.vaultRead.findMany({ where: { tenantId: tenant.id } });
  expect(reads).toMatchObject([{ purpose: "switch_shown", actor: "system:console" }]);
});

test("GO-1: modes that are not live are named, with who asked for live and that it is still open", async () => {
  const tenant = await aTenant(ledger.owner);
  const onCall = await aMember(ledger.owner, tenant.id, "on_call");
  const { ctx } = ledger;
  const reason = "Compare first.";
  await changeMode(ctx, onCall, { kind: "extend", mode: "shadow", reason });
  await changeMode(ctx, onCall, { kind: "void", mode: "off", reason });
  await changeMode(ctx, onCall, { kind: "extend", mode: "live", reason });
  const account = { id: onCall.id, role: "on_call" as const };
  expect((await pulse(ctx, tenant.id, account)).modes).toEqual({
    shadow: ["extend"],
    off: ["void"],
  });
  const { modes } = await controlsPage(ctx, tenant.id, onCall.id);
  const extend = modes.find(({ kind }) => kind === "extend");
  expect(extend).toMatchObject({ mode: "shadow", asked: { by: { you: true, role: "on_call" } } });
  expect(modes.find(({ kind }) => kind === "void")).toMatchObject({ mode: "off", asked: null });
  await changeMode(ctx, onCall, { kind: "extend", mode: "off", reason });
  const later = await controlsPage(ctx, tenant.id, onCall.id);
  expect(later.modes.find(({ kind }) => kind === "extend")).toMatchObject({
    mode: "off",
    asked: null,
  });
});
