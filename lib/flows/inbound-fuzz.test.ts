import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seeded } from "@/lib/testing/chance";
import {
  aKnownRequest,
  inboxOf,
  mirrorOf,
  receivePatiently,
  setSecrets,
  signedDelivery,
} from "@/lib/testing/deliveries";
import { type Fuzzed, fuzzedDelivery } from "@/lib/testing/fuzzed-deliveries";
import { waitUntil } from "@/lib/testing/processes";
import { startWebhookConsole, type WebhookConsole } from "@/lib/testing/webhook-console";
import {
  openWorkshop,
  type ShopTenant,
  WEBHOOK_SECRET,
  type Workshop,
} from "@/lib/testing/workshop";

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.close());

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const AT_ONCE = 200;
const TOTAL = 12_000;
const KEPT = ["applied", "no_change", "duplicate", "unmatched", "quarantined"];

/** Everything that is thrown would be a 5xx without cause. */
const received = ({ delivery }: Fuzzed): Promise<string> =>
  receivePatiently(shop.ledger.ctx, delivery);

/** One line per row of everything that an event could change. */
async function stateOf({ tenantId }: ShopTenant): Promise<string> {
  const { owner } = shop.ledger;
  const where = { tenantId };
  return JSON.stringify([
    await owner.request.findMany({ where, orderBy: { ref: "asc" } }),
    await owner.operation.findMany({ where }),
    await owner.inboxEvent.count({ where }),
    await owner.readOrder.count({ where }),
    await owner.reviewItem.count({ where: { ...where, NOT: { reason: SECRETS } } }),
    await owner.outboxEvent.count({ where }),
  ]);
}

/** The one thing that deliveries without authenticity bring about: somebody is asked to check the secrets. */
const SECRETS = "authentication_failures";

test("IN-1 IN-4: of 12,000 fuzzed deliveries every one is refused, set aside or applied, and only authentic ones change anything", async () => {
  process.stdout.write(`seed of the fuzzing: ${SEED}\n`);
  const chance = seeded(SEED);
  const tenant = await shop.tenant("exact");
  const refs = Array.from({ length: 40 }, (_, place) => `fuzzed-${place}`);
  for (const ref of refs) await aKnownRequest(shop, tenant, ref);
  const untouched = await stateOf(tenant);
  const counts = new Map<string, number>();
  const kept = new Set<string>();
  const waves = Array.from({ length: TOTAL / AT_ONCE }, (_, wave) =>
    Array.from({ length: AT_ONCE }, (_, place) =>
      fuzzedDelivery(chance, tenant.connectionId, wave * AT_ONCE + place, refs),
    ),
  );
  const forged = waves.map((wave) => wave.filter(({ isAuthentic }) => !isAuthentic));
  for (const wave of forged) {
    const results = await Promise.all(wave.map(received));
    expect(new Set(results)).toEqual(new Set(["refused"]));
    counts.set("refused", (counts.get("refused") ?? 0) + results.length);
  }
  expect(JSON.parse(await stateOf(tenant))).toEqual(JSON.parse(untouched));
  const asked = { tenantId: tenant.tenantId, reason: SECRETS };
  expect(await shop.ledger.owner.reviewItem.count({ where: asked })).toBe(1);

  for (const wave of waves.map((each) => each.filter(({ isAuthentic }) => isAuthentic))) {
    const results = await Promise.all(wave.map(received));
    for (const [place, result] of results.entries()) {
      expect(KEPT).toContain(result);
      counts.set(result, (counts.get(result) ?? 0) + 1);
      const id = wave[place]?.delivery.headers["webhook-id"];
      if (id) kept.add(id);
    }
  }
  const rows = await inboxOf(shop, tenant);
  expect(rows.reduce((sum, { copies }) => sum + copies, 0)).toBe(
    TOTAL - (counts.get("refused") ?? 0),
  );
  const quarantined = rows.filter(({ outcome }) => outcome === "quarantined");
  const where = { tenantId: tenant.tenantId, inboxId: { in: quarantined.map(({ id }) => id) } };
  expect(await shop.ledger.owner.reviewItem.count({ where })).toBe(quarantined.length);
  expect(rows.every(({ outcome }) => outcome !== "received")).toBe(true);
  process.stdout.write(`${JSON.stringify(Object.fromEntries(counts))}, ids: ${kept.size}\n`);
}, 400_000);

/** One HTTP request with exactly these bytes, in pieces of `piece` bytes. */
function post(
  console: WebhookConsole,
  path: string,
  headers: Record<string, string>,
  body: Uint8Array,
  piece = body.byteLength || 1,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sending = request(`${console.url}${path}`, { method: "POST", headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode ?? 0));
    });
    sending.on("error", reject);
    for (let from = 0; from < body.byteLength; from += piece) {
      sending.write(body.subarray(from, from + piece));
    }
    sending.end();
  });
}

test("IN-1 IN-2 C-15: over HTTP fuzzed deliveries get 2xx, 4xx or a 503 that ends, one-byte pieces are accepted, and packed or too large bodies refused", async () => {
  const chance = seeded(SEED + 1);
  const tenant = await shop.tenant("exact");
  const refs = ["http-1", "http-2", "http-3"];
  for (const ref of refs) await aKnownRequest(shop, tenant, ref);
  const ref = await aKnownRequest(shop, tenant, "req_7001");
  const console = await startWebhookConsole(shop.ledger.url, shop.ledger.ctx.vaultKey);
  const path = `/api/webhooks/${tenant.connectionId}`;
  try {
    const body = String.raw`{"type":"request.completed","data":{"request_id":"req_7001","signer":"Zo\u00eb Example","amount":10.0,"url":"https:\/\/sign.example\/r\/7001"}}`;
    const { headers, raw } = signedDelivery(tenant, "msg_open_0019", body);
    const json = { ...headers, "content-type": "application/json; charset=utf-8" };
    await waitUntil(async () => (await post(console, path, json, raw, 1)) === 200, {
      timeoutMs: 30_000,
      what: "the body in pieces of one byte is accepted",
    });
    expect((await mirrorOf(shop, tenant, ref)).mirrorStatus).toBe("completed");
    const packed = { ...json, "content-encoding": "gzip" };
    expect(await post(console, path, packed, gzipSync(raw))).toBe(415);
    expect(await post(console, path, json, Buffer.alloc(300 * 1024, "x"))).toBe(413);
    expect(await post(console, "/api/webhooks/none", json, raw)).toBe(401);
    expect(
      await post(console, "/api/webhooks/7c1e0000-0000-4000-8000-000000000000", json, raw),
    ).toBe(401);
    for (let place = 0; place < 300; place += 1) {
      const fuzzed = fuzzedDelivery(chance, tenant.connectionId, place, refs);
      const status = await waitUntil(() => answerOf(console, path, fuzzed), {
        timeoutMs: 30_000,
        what: "there is an answer that is no 503",
      });
      expect(fuzzed.isAuthentic ? [200, 202] : [400, 401]).toContain(status);
    }
  } finally {
    console.child.kill("SIGKILL");
    await console.child.exited;
  }
});

/** False for a 503, after which the sender comes again. Headers that no HTTP client can send are refused there. */
async function answerOf(
  console: WebhookConsole,
  path: string,
  { delivery }: Fuzzed,
): Promise<number | false> {
  const headers = Object.entries(delivery.headers)
    .filter(([, value]) => /^[\x20-\x7e]*$/.test(value))
    .map(([name, value]) => [name, value.slice(0, 8_000)]);
  const status = await post(console, path, Object.fromEntries(headers), delivery.raw);
  return status === 503 ? false : status;
}

test("IN-1 C-17: a secret that is removed stops at once in a process that has used it", async () => {
  const tenant = await shop.tenant("exact");
  await aKnownRequest(shop, tenant, "req_rotated");
  const event = (id: string) =>
    signedDelivery(tenant, id, `{"type":"request.sent","data":{"request_id":"req_rotated"}}`);
  expect(await receivePatiently(shop.ledger.ctx, event("rot_1"))).toBe("no_change");
  await setSecrets(shop, tenant, []);
  expect(await receivePatiently(shop.ledger.ctx, event("rot_2"))).toBe("refused");
  await setSecrets(shop, tenant, [{ keyId: "k1", secret: WEBHOOK_SECRET }]);
  expect(await receivePatiently(shop.ledger.ctx, event("rot_2"))).toBe("no_change");
});
