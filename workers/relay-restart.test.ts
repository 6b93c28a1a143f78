import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventBody, inboxOf, mirrorOf, signedDelivery } from "@/lib/testing/deliveries";
import { aSubscriber, releasedEvents, type TestSubscriber } from "@/lib/testing/outbox";
import { waitUntil } from "@/lib/testing/processes";
import { startWebhookConsole, type WebhookConsole } from "@/lib/testing/webhook-console";
import { killWorker, startWorker } from "@/lib/testing/worker-process";
import {
  aRealRequest,
  inDays,
  openWorkshop,
  type ShopTenant,
  type Workshop,
} from "@/lib/testing/workshop";
import { migrate } from "@/prisma/migrate";
import { type RunningPostgres, startPostgres } from "./launch/embedded-postgres";
import { freePort } from "./launch/ports";
import { postgresBinaries } from "./launch/postgres-binaries";
import { projectRoot } from "./launch/root";

/** A database of its own, a console that takes events and a worker that reads and relays: the database is killed. */
const REQUESTS = 6;

let folder: string;
let postgres: RunningPostgres;
let shop: Workshop;
let tenant: ShopTenant;

const options = async () => ({
  binaries: postgresBinaries(projectRoot),
  dataFolder: path.join(folder, "data"),
  port: await freePort(),
  password: "restart",
});
let started: Awaited<ReturnType<typeof options>>;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "deadline-relay-"));
  chmodSync(folder, 0o755);
  started = await options();
  postgres = await startPostgres(started);
  const url = postgres.url("postgres");
  await migrate(url);
  shop = await openWorkshop({ url, close: async () => undefined });
  tenant = await shop.tenant("exact");
});
afterAll(async () => {
  await shop.close();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** As a power cut for the server: no session ends well, and the log is replayed at the start. */
async function killDatabase(): Promise<void> {
  process.kill(postgres.pid, "SIGQUIT");
  await postgres.exited;
  postgres = await startPostgres(started);
}

interface Told {
  readonly ref: string;
  readonly platformRef: string;
}

/** A request that is completed at the platform, and of which the ledger has not heard yet. */
async function aCompletedRequest(): Promise<Told> {
  const { ref, platformRef } = await aRealRequest(shop, tenant, inDays(3));
  await shop.sandbox.control.act(tenant.account.id, platformRef, { change: "complete" });
  return { ref, platformRef };
}

/** The same event again until it has a 2xx, as a sender does. */
async function tell(console: WebhookConsole, { platformRef }: Told, status: string) {
  const id = `msg_${platformRef}_${status}`;
  const body = eventBody(id, platformRef, status);
  await waitUntil(
    async () => {
      const { connectionId, headers } = signedDelivery(tenant, id, body);
      const address = `${console.url}/api/webhooks/${connectionId}`;
      return (await fetch(address, { method: "POST", headers, body })).ok;
    },
    { timeoutMs: 60_000, what: "the sender is heard" },
  );
}

const receivedBy = async ({ receiver }: TestSubscriber) =>
  (await shop.sandbox.control.received(receiver)).map((one) => one.webhook_id);

/**
 * What a worker had under way when its database went away is tried again when its time is over: now. Once, since what
 * is taken after that is under way for good, and would be sent over and over.
 */
async function endLeases(): Promise<void> {
  const { tenantId } = tenant;
  const past = new Date(0);
  await shop.ledger.owner.readOrder.updateMany({
    where: { tenantId, receiptId: null },
    data: { dueAt: past },
  });
  await shop.ledger.owner.outboxDelivery.updateMany({
    where: { tenantId, leaseOwner: { not: null } },
    data: { leaseUntil: past, nextTryAt: past },
  });
}

/** Every row of the outbox is delivered; returns the rows in the order in which they are to arrive. */
async function untilAllDelivered(count: number) {
  const { tenantId } = tenant;
  const { owner } = shop.ledger;
  await waitUntil(
    async () => {
      const delivered = await owner.outboxDelivery.count({
        where: { tenantId, state: "delivered" },
      });
      return delivered === count;
    },
    { timeoutMs: 60_000, what: `${count} deliveries are made` },
  );
  return owner.outboxEvent.findMany({ where: { tenantId }, orderBy: { seq: "asc" } });
}

test("IN-2 OB-1 GO-3: the database server is killed while events come in, are applied and relayed: nothing is lost or doubled", async () => {
  const subscriber = await aSubscriber(shop, tenant);
  const { receiver, secret } = subscriber;
  await shop.sandbox.control.putReceiver(receiver, { secrets: [secret], delay_ms: 200 });
  const told = await Promise.all(Array.from({ length: REQUESTS }, aCompletedRequest));
  const console = await startWebhookConsole(shop.ledger.url, shop.ledger.ctx.vaultKey);
  const worker = await startWorker(shop, "relay-restart");
  try {
    for (const { ref } of told) {
      await releasedEvents(shop, tenant, ["request.expired", "request.voided"], ref);
    }
    const telling = told.flatMap((one) => [
      tell(console, one, "viewed"),
      tell(console, one, "completed"),
      tell(console, one, "completed"),
    ]);
    await waitUntil(async () => (await receivedBy(subscriber)).length > 0, {
      timeoutMs: 60_000,
      what: "the relay is at work",
    });
    await killDatabase();
    await Promise.all(telling);
    // Whoever has heard a 2xx may rely on it, and whoever comes once more changes nothing.
    await Promise.all(told.map((one) => tell(console, one, "completed")));

    await endLeases();
    const outbox = await untilAllDelivered(3 * REQUESTS);
    const received = await receivedBy(subscriber);
    const firsts = received.filter((id, place) => received.indexOf(id) === place);
    const rows = await inboxOf(shop, tenant);
    for (const { ref, platformRef } of told) {
      const own = rows.filter((row) => row.platformRef === platformRef);
      expect(own.map(({ type }) => type).sort()).toEqual(["request.completed", "request.viewed"]);
      for (const { outcome } of own) expect(["applied", "no_change"]).toContain(outcome);
      const { mirrorStatus } = await mirrorOf(shop, tenant, ref);
      expect(mirrorStatus).toBe("completed");
      const ids = outbox.filter((row) => row.requestRef === ref).map(({ id }) => id);
      expect(ids).toHaveLength(3);
      expect(firsts.filter((id) => id !== null && ids.includes(id))).toEqual(ids);
    }
  } finally {
    await killWorker(worker);
    console.child.kill("SIGKILL");
    await console.child.exited;
  }
});
