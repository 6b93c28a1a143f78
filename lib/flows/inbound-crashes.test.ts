import { afterAll, beforeAll, expect, test } from "vitest";
import {
  aKnownRequest,
  eventBody,
  inboxOf,
  mirrorOf,
  signedDelivery,
} from "@/lib/testing/deliveries";
import { waitUntil } from "@/lib/testing/processes";
import { startWebhookConsole, type WebhookConsole } from "@/lib/testing/webhook-console";
import { openWireStop, type WireStop } from "@/lib/testing/wire-stop";
import { openWorkshop, type ShopTenant, type Workshop } from "@/lib/testing/workshop";

/** A real console process on a way to the database that stops it at any step, and is then killed there. */
let shop: Workshop;
let wire: WireStop;
let tenant: ShopTenant;
beforeAll(async () => {
  shop = await openWorkshop();
  wire = await openWireStop(shop.ledger.url);
  tenant = await shop.tenant("exact");
});
afterAll(async () => {
  await wire.close();
  await shop.close();
});

type Console = WebhookConsole;

async function aConsole(): Promise<Console> {
  const started = await startWebhookConsole(wire.url, shop.ledger.ctx.vaultKey);
  await untilWarm(started);
  return started;
}

/** A process that has just started may be slower than a sender waits; the sender then comes again. */
async function untilWarm(console: Console): Promise<void> {
  const told = await anEnd();
  await waitUntil(async () => (await deliver(console, told)) === 200, {
    timeoutMs: 30_000,
    what: "the console takes its first event",
  });
}

let made = 0;

interface Told {
  readonly ref: string;
  readonly id: string;
  readonly body: string;
}

/** An event that has everything to do: it moves a mirror, ends timers, orders a read and has something to hand off. */
async function anEnd(): Promise<Told> {
  made += 1;
  const platformRef = `req_crash_${made}`;
  const ref = await aKnownRequest(shop, tenant, platformRef);
  return { ref, id: `msg_${made}`, body: eventBody(`msg_${made}`, platformRef, "completed") };
}

/** Delivers as a sender does; null when the connection broke without an answer. */
async function deliver({ url }: Console, { id, body }: Told): Promise<number | null> {
  const { connectionId, headers } = signedDelivery(tenant, id, body);
  const address = `${url}/api/webhooks/${connectionId}`;
  try {
    const { status } = await fetch(address, { method: "POST", headers, body });
    return status;
  } catch {
    // What a sender sees of a process that died: no answer, so it comes again.
    return null;
  }
}

/** What the ledger holds of one event: rows, moved mirrors, things to hand off, ordered reads. */
async function held({ ref, id }: Told) {
  const rows = (await inboxOf(shop, tenant)).filter((row) => row.identity === `id:${id}`);
  const { tenantId } = tenant;
  const { mirrorStatus } = await mirrorOf(shop, tenant, ref);
  const where = { tenantId, requestRef: ref };
  const outbox = await shop.ledger.owner.outboxEvent.count({ where });
  const reads = await shop.ledger.owner.readOrder.count({ where });
  return { rows: rows.length, outcome: rows[0]?.outcome ?? null, mirrorStatus, outbox, reads };
}

const NOTHING = { rows: 0, outcome: null, mirrorStatus: "sent", outbox: 0, reads: 0 };
const EVERYTHING = { rows: 1, outcome: "applied", mirrorStatus: "completed", outbox: 1, reads: 1 };

interface Point {
  readonly at: number;
  readonly answered: boolean;
  readonly where: string;
}

/** Every step between receipt and answer, as one undisturbed delivery takes them. */
async function pointsOf(running: Console): Promise<readonly Point[]> {
  await untilHeard(async () => {
    wire.begin(null);
    return deliver(running, await anEnd());
  });
  const steps = wire.passed.map((words, place) => ({
    at: place + 1,
    answered: false,
    where: `before ${words}`,
  }));
  return [...steps, { at: steps.length, answered: true, where: "after COMMIT, before the answer" }];
}

/** A sender comes again until it has a 2xx. */
async function untilHeard(send: () => Promise<number | null>): Promise<number> {
  return waitUntil(
    async () => {
      const status = await send();
      return status === 200 && status;
    },
    { timeoutMs: 60_000, what: "the sender is heard" },
  );
}

async function untilHeld(): Promise<number> {
  return waitUntil(() => wire.held(), { timeoutMs: 20_000, what: "the step is reached" });
}

const table: string[] = [];

function note(kill: string, point: Point, cells: readonly unknown[]): void {
  table.push([kill, String(point.at), point.where, ...cells.map(String)].join(" | "));
}

/** Kills the process at this point and lets the sender come again to the next one. */
async function killedProcess(running: Console, point: Point): Promise<Console> {
  const told = await anEnd();
  await deliver(running, await anEnd());
  wire.begin(point);
  const first = deliver(running, told);
  await untilHeld();
  running.child.kill("SIGKILL");
  await running.child.exited;
  // On a slow machine the console may have told the sender to come again before it was killed.
  expect([null, 503]).toContain(await first);
  wire.begin(null);
  await expectAllOrNothing(told, point);
  const next = await aConsole();
  const again = await untilHeard(() => deliver(next, told));
  expect(await held(told)).toEqual(EVERYTHING);
  note("process", point, ["none", again, 1]);
  return next;
}

/** Kills the database's side of the connection at this point; the process lives on and records the event once. */
async function killedBackend(running: Console, point: Point): Promise<void> {
  const told = await anEnd();
  await deliver(running, await anEnd());
  wire.begin(point);
  const first = deliver(running, told);
  const pid = await untilHeld();
  await shop.ledger.owner.$queryRaw`SELECT pg_terminate_backend(${pid}::integer)::text`;
  await untilGone(pid);
  // What the server had answered is lost with the connection.
  if (!point.answered) wire.release();
  // The console records it anew at once, or tells the sender to come again when that takes too long.
  const answer = await first;
  expect([200, 503]).toContain(answer);
  wire.begin(null);
  const kept = await held(told);
  expect(answer === 200 ? [EVERYTHING] : [EVERYTHING, NOTHING]).toContainEqual(kept);
  const again = await untilHeard(() => deliver(running, told));
  expect(await held(told)).toEqual(EVERYTHING);
  note("backend", point, [answer, again, 1]);
}

async function untilGone(pid: number): Promise<void> {
  await waitUntil(
    async () => {
      const [row] = await shop.ledger.owner.$queryRaw<{ gone: boolean }[]>`
        SELECT NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE pid = ${pid}::integer) AS gone`;
      return row?.gone;
    },
    { timeoutMs: 20_000, what: "the backend is gone" },
  );
}

/** A broken transaction takes a moment to be undone by the server; the row lock of its request says when. */
async function expectAllOrNothing(told: Told, point: Point): Promise<void> {
  const expected = point.answered ? EVERYTHING : NOTHING;
  await waitUntil(
    async () => {
      const now = await held(told);
      return JSON.stringify(now) === JSON.stringify(expected);
    },
    { timeoutMs: 20_000, what: `${point.where}: everything or nothing is kept` },
  );
}

test("IN-2 C-18: kill -9 and a lost database at every step between receipt and answer lose nothing and apply nothing twice", async () => {
  let running = await aConsole();
  try {
    const points = await pointsOf(running);
    expect(points.length).toBeGreaterThan(7);
    for (const point of points) await killedBackend(running, point);
    for (const point of points) running = await killedProcess(running, point);
    const head = "killed | step | where | first answer | sender's retry | effects";
    process.stdout.write(`${[head, ...table].join("\n")}\n`);
    expect(table).toHaveLength(2 * points.length);
  } finally {
    running.child.kill("SIGKILL");
    await running.child.exited;
  }
}, 400_000);
