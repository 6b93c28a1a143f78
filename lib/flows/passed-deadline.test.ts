import { afterAll, beforeAll, expect, test } from "vitest";
import { anApprovedSend } from "@/lib/testing/sends";
import {
  anApprovedExtension,
  aRealRequest,
  effectsOf,
  inDays,
  openWorkshop,
  operationOf,
  type ShopTenant,
  type Workshop,
} from "@/lib/testing/workshop";
import { claimDueWork } from "./claim-work";
import { executeClaim } from "./execute";

let shop: Workshop;
let tenant: ShopTenant;

beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.close());

/** Claims what is due and carries it out `days` later by the worker's clock. */
async function carryOutLater(days: number): Promise<void> {
  let ahead = 0;
  const worker = await shop.worker({ clock: { elapsedMs: () => performance.now() + ahead } });
  const hands = await claimDueWork(worker, 8);
  ahead = days * 86_400_000;
  for (const hand of hands) await executeClaim(worker, hand);
}

test.each(["extend", "send"] as const)(
  "a %s whose deadline passed while it was held goes to a person before any call",
  async (kind) => {
    tenant = await shop.tenant("exact");
    const opId =
      kind === "send"
        ? (await anApprovedSend(shop, tenant, inDays(10))).opId
        : await anApprovedExtension(
            shop,
            tenant,
            await aRealRequest(shop, tenant, inDays(3)),
            inDays(10),
          );
    await carryOutLater(11);
    expect(await operationOf(shop, tenant, opId)).toMatchObject({
      state: "needs_review",
      reason: "deadline_passed_while_held",
      attempts: 0,
    });
    const before = kind === "send" ? [] : ["sent"];
    expect((await effectsOf(shop, tenant, {})).map((one) => one.kind)).toEqual(before);
  },
);
