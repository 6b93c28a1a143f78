import { afterAll, beforeAll, expect, test } from "vitest";
import { aKnownRequest, eventBody, mirrorOf, signedDelivery } from "@/lib/testing/deliveries";
import { openWorkshop, type ShopTenant, type Workshop } from "@/lib/testing/workshop";

let shop: Workshop;
let tenant: ShopTenant;
let post: typeof import("./route").POST;
beforeAll(async () => {
  shop = await openWorkshop();
  tenant = await shop.tenant("exact");
  Object.assign(process.env, {
    DATABASE_URL: shop.ledger.url,
    CONSOLE_DATABASE_URL: shop.ledger.url,
    DEADLINE_LEDGER_VAULT_KEY: shop.ledger.ctx.vaultKey.toString("base64"),
    NEXTAUTH_SECRET: "s".repeat(32),
    NEXTAUTH_URL: "http://localhost:1",
    LOG_LEVEL: "silent",
  });
  // The handler reads its environment when it is first asked.
  ({ POST: post } = await import("./route"));
});
afterAll(() => shop.close());

let made = 0;

/** Delivers as the platform does from this address, again as long as it is told that nothing is recorded. */
async function deliver(source: string, platformRef: string, secret?: string): Promise<Response> {
  made += 1;
  const body = eventBody(`msg_${made}`, platformRef, "completed");
  const { headers } = signedDelivery(tenant, `msg_${made}`, body, secret);
  const { connectionId } = tenant;
  for (;;) {
    const request = new Request(`http://localhost/api/webhooks/${connectionId}`, {
      method: "POST",
      headers: { ...headers, "x-forwarded-for": source },
      body,
    });
    const answer = await post(request, { params: Promise.resolve({ connectionId }) });
    if (answer.status !== 503) return answer;
  }
}

test("PV-6 IN-1: a source that only fails is told to wait, and the platform's deliveries from elsewhere are recorded", async () => {
  const ref = await aKnownRequest(shop, tenant, "req_limited");
  const wrong = "whsec_d3Jvbmc=";
  expect((await deliver("203.0.113.7", "req_limited", wrong)).status).toBe(401);
  const answers: Response[] = [];
  while (answers.length < 1_000 && answers.at(-1)?.status !== 429) {
    const some = Array.from({ length: 20 }, () => deliver("203.0.113.7", "req_limited", wrong));
    answers.push(...(await Promise.all(some)));
  }
  const [told] = answers.filter(({ status }) => status === 429);
  expect(Number(told?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(await mirrorOf(shop, tenant, ref)).toMatchObject({ mirrorStatus: "sent" });

  expect((await deliver("198.51.100.1", "req_limited")).status).toBe(200);
  expect(await mirrorOf(shop, tenant, ref)).toMatchObject({ mirrorStatus: "completed" });
});
