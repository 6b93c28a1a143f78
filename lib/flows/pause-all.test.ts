import { afterAll, beforeAll, expect, test } from "vitest";
import { pulse } from "@/lib/queries/pulse";
import { waitUntil } from "@/lib/testing/processes";
import { refusalOf } from "@/lib/testing/refusals";
import {
  anApprovedExtension,
  aRealRequest,
  effectsOf,
  inDays,
  oneRound,
  openWorkshop,
  operationOf,
  type Workshop,
} from "@/lib/testing/workshop";
import { askResumeAll, operatorName, pauseAll, resumeAll } from "./pause-all";

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.close());

test("BL-6: the switch over all tenants is an operator's, is seen by every tenant with its reason, and two operators open it", async () => {
  const { owner, ctx } = shop.ledger;
  const installation = { owner, vaultKey: ctx.vaultKey };
  const tenants = [await shop.tenant("exact"), await shop.tenant("exact")];
  const [kim, lee] = [operatorName("kim"), operatorName("lee")];
  expect(() => operatorName("Kim Example")).toThrow();
  expect((await refusalOf(pauseAll(installation, kim, " "))).code).toBe("reason_empty");
  expect(await pauseAll(installation, kim, "5xx storm")).toBe(true);
  expect(await pauseAll(installation, lee, "Me too.")).toBe(false);

  const worker = await shop.worker();
  const opIds: string[] = [];
  for (const tenant of tenants) {
    const request = await aRealRequest(shop, tenant, inDays(3));
    opIds.push(await anApprovedExtension(shop, tenant, request, inDays(10)));
    const account = { id: tenant.approver.id, role: "account_manager" as const };
    expect((await pulse(ctx, tenant.tenantId, account)).pauses).toMatchObject([
      { scope: "all", by: "an installation operator", reason: "5xx storm" },
    ]);
  }
  while ((await oneRound(worker)) > 0);
  for (const [place, tenant] of tenants.entries()) {
    expect((await operationOf(shop, tenant, opIds[place] ?? "")).state).toBe("scheduled");
    expect(await effectsOf(shop, tenant, { kind: "extended" })).toEqual([]);
  }

  expect((await refusalOf(resumeAll(installation, lee, "0".repeat(64)))).code).toBe(
    "resume_not_asked",
  );
  const { seal, groups } = await askResumeAll(installation, kim);
  expect([seal.count, groups.start]).toEqual([2, 2]);
  expect((await refusalOf(resumeAll(installation, kim, seal.hash))).code).toBe(
    "resume_same_person",
  );
  expect((await refusalOf(resumeAll(installation, lee, "0".repeat(64)))).code).toBe(
    "preview_changed",
  );
  const both = await Promise.allSettled([
    resumeAll(installation, lee, seal.hash),
    resumeAll(installation, operatorName("sam"), seal.hash),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(both.find((one) => one.status === "rejected")?.reason).toMatchObject({
    code: "not_found",
  });
  const entries = await owner.controlEvent.count({ where: { kind: "resumed" } });
  expect(entries).toBe(1);
  await waitUntil(
    async () => {
      await oneRound(worker);
      const states = tenants.map((tenant, place) => operationOf(shop, tenant, opIds[place] ?? ""));
      return (await Promise.all(states)).every(({ state }) => state === "done");
    },
    { timeoutMs: 20_000, what: "both tenants run again" },
  );
  expect((await refusalOf(askResumeAll(installation, kim))).code).toBe("not_found");
});
