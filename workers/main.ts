import { setMaxListeners } from "node:events";
import { alertPass } from "@/lib/flows/alert-pass";
import { applyWaitingEvents } from "@/lib/flows/apply-waiting-events";
import { claimDueLooks, claimDueWork } from "@/lib/flows/claim-work";
import { warnOfZoneRules } from "@/lib/flows/compare-zone-rules";
import type { Log } from "@/lib/flows/context";
import { executeClaim } from "@/lib/flows/execute";
import { fulfilReads } from "@/lib/flows/fulfil-reads";
import type { Hand } from "@/lib/flows/hand";
import { lastLooks } from "@/lib/flows/last-look";
import { pollRequests } from "@/lib/flows/poll-requests";
import { reconcileClaim } from "@/lib/flows/reconcile";
import { refuseMissingKeys } from "@/lib/flows/rotate-vault-key";
import { runRetention } from "@/lib/flows/run-retention";
import { settleByRead } from "@/lib/flows/settle-by-read";
import { settleDecisions } from "@/lib/flows/settle-decisions";
import { shadowPass } from "@/lib/flows/shadow-pass";
import { sweep } from "@/lib/flows/sweep";
import { sweepDrift } from "@/lib/flows/sweep-drift";
import { sweepZones } from "@/lib/flows/sweep-zones";
import { tellUnknown } from "@/lib/flows/tell-unknown";
import type { WorkerContext } from "@/lib/flows/worker-context";
import {
  beginDraining,
  beginWorker,
  confirmControls,
  endWorker,
  keepAlive,
} from "@/lib/flows/worker-life";
import { readiness } from "@/lib/queries/readiness";
import { broughtMigrations } from "@/lib/runtime/brought-migrations";
import { describeError } from "@/lib/runtime/log";
import { createLoopLag, type LoopLag } from "@/lib/runtime/loop-lag";
import { serveStatus } from "@/lib/runtime/status-server";
import { type WorkerRuntime, workerRuntime } from "@/lib/runtime/worker";
import { createHands, type Hands, taking } from "./hands";
import { loop } from "./loop";
import { notifying } from "./notices";
import { proving } from "./proof";
import { relaying } from "./relay";
import { openSession, type WorkerSession } from "./session";

const SLOTS = 8;
/**
 * Kept for tenants that have nothing in flight, who must not wait for another tenant's slow platform (CL-5): as many as
 * the others, since each is in use for as long as three answers of a platform take.
 */
const SPARE_SLOTS = 8;
/** Deliveries to subscribers only wait for an answer; many fit beside each other. */
const RELAY_SLOTS = 16;
const NOTICE_SLOTS = 4;
const REST_MS = 500;
const SWEEP_REST_MS = 1_000;
const DRIFT_REST_MS = 5_000;
const ZONES_REST_MS = 60_000;
/** Each tenant has its turn once a day. */
const RETENTION_REST_MS = 60_000;
const ALERTS_REST_MS = 5_000;
const BEAT_REST_MS = 2_000;
const CONTROLS_REST_MS = 5_000;
/** A stopping worker waits this long for what is under way; whatever is left then becomes unknown by its lease. */
const DRAIN_MS = 25_000;
const LOOPS_MAX = 30;

/** A pass that fails by a bug or a lost database says nothing more: its lease ends and a look follows. */
function failedPass(log: Log): (hand: Hand, error: unknown) => void {
  return ({ claim }, error) =>
    log.error({
      event: "pass_failed",
      tenant: claim.tenantId,
      op: claim.opId,
      fence: claim.fence,
      error: describeError(error),
    });
}

interface Shared {
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** Claims and carries out work and looks, as many at a time as there are hands. */
function working(
  context: WorkerContext,
  session: WorkerSession,
  [hands, lookingHands, spareHands]: readonly [Hands, Hands, Hands, ...Hands[]],
  shared: Shared,
): Promise<void>[] {
  const onError = failedPass(context.log);
  const execute = (hand: Hand) => executeClaim(context, hand);
  const work = taking(hands, (limit) => claimDueWork(context, limit), execute, onError);
  const spare = taking(spareHands, (limit) => claimDueWork(context, limit, true), execute, onError);
  const looks = taking(
    lookingHands,
    (limit) => claimDueLooks(context, limit),
    (hand) => reconcileClaim(context, hand),
    onError,
  );
  // A pass that ends frees a hand, a place in a quota and its request.
  const wakeBy = (mine: Hands) => (wake: () => void) => {
    session.onCall("deadline_work", wake);
    mine.onDone(wake);
  };
  return [
    loop(work, { ...shared, name: "work", restMs: REST_MS, wakeBy: wakeBy(hands) }),
    loop(spare, { ...shared, name: "spare", restMs: REST_MS, wakeBy: wakeBy(spareHands) }),
    loop(looks, { ...shared, name: "looks", restMs: REST_MS, wakeBy: wakeBy(lookingHands) }),
  ];
}

/** Everything that a worker does over and over, until `signal`. */
function loops(
  context: WorkerContext,
  session: WorkerSession,
  hands: readonly [Hands, Hands, Hands, ...Hands[]],
  signal: AbortSignal,
): Promise<void>[] {
  // Each of the loops below listens for the end.
  setMaxListeners(LOOPS_MAX, signal);
  const shared: Shared = { signal, log: context.log };
  return [
    ...working(context, session, hands, shared),
    loop(() => sweep(context), { ...shared, name: "sweep", restMs: SWEEP_REST_MS }),
    loop(() => sweepDrift(context), { ...shared, name: "sweep_drift", restMs: DRIFT_REST_MS }),
    loop(() => sweepZones(context), { ...shared, name: "sweep_zones", restMs: ZONES_REST_MS }),
    loop(() => runRetention(context), {
      ...shared,
      name: "retention",
      restMs: RETENTION_REST_MS,
    }),
    loop(() => pollRequests(context), { ...shared, name: "polls", restMs: SWEEP_REST_MS }),
    loop(() => applyWaitingEvents(context), { ...shared, name: "inbox", restMs: REST_MS }),
    loop(() => lastLooks(context), { ...shared, name: "last_looks", restMs: SWEEP_REST_MS }),
    loop(() => alertPass(context), { ...shared, name: "alerts", restMs: ALERTS_REST_MS }),
    loop(() => tellUnknown(context), { ...shared, name: "unknown", restMs: ALERTS_REST_MS }),
    loop(() => shadowPass(context), { ...shared, name: "shadow", restMs: SWEEP_REST_MS }),
    loop(() => settleByRead(context), { ...shared, name: "settle_by_read", restMs: DRIFT_REST_MS }),
    loop(() => settleDecisions(context), {
      ...shared,
      name: "decisions",
      restMs: REST_MS,
      wakeBy: (wake) => session.onCall("deadline_reads", wake),
    }),
    loop(() => fulfilReads(context), {
      ...shared,
      name: "reads",
      restMs: REST_MS,
      wakeBy: (wake) => session.onCall("deadline_reads", wake),
    }),
    loop(() => confirmControls(context), {
      ...shared,
      name: "controls",
      restMs: CONTROLS_REST_MS,
      wakeBy: (wake) => session.onCall("deadline_controls", wake),
    }),
  ];
}

async function run(runtime: WorkerRuntime, stopping: AbortSignal): Promise<void> {
  const { context, identity } = runtime;
  const { log } = context;
  await refuseMissingKeys(context);
  const ending = new AbortController();
  const session = await openSession(runtime.databaseUrl, identity.sessionKey, log, ending.signal);
  await beginWorker(context, identity);
  const status = await serveStatus({ ...runtime.status, ready: () => readyOf(context, stopping) });
  log.info({ event: "worker_ready", worker: identity.name, port: status.port });
  const zonesCompared = warnOfZoneRules(context.owner, log);
  const hands = [
    createHands(SLOTS),
    createHands(SLOTS),
    createHands(SPARE_SLOTS),
    createHands(RELAY_SLOTS),
    createHands(NOTICE_SLOTS),
  ] as const;
  const lag = createLoopLag();
  const beating = loop(() => heartbeat(runtime, hands, lag), {
    name: "beat",
    restMs: BEAT_REST_MS,
    signal: ending.signal,
    log,
  });
  await Promise.all([
    ...loops(context, session, hands, stopping),
    relaying(runtime, session, hands[3], stopping),
    notifying(runtime, hands[4], stopping),
    proving(context, stopping),
  ]);
  await Promise.all([drain(runtime, hands), zonesCompared]);
  ending.abort();
  await beating;
  lag.stop();
  await Promise.all([session.close(), status.close()]);
}

/** CL-6: says that this worker lives, what it has in hand and how it fared since the beat before. */
async function heartbeat(
  { context, meter }: WorkerRuntime,
  hands: readonly Hands[],
  lag: LoopLag,
): Promise<number> {
  const inHand = hands.reduce((sum, one) => sum + one.busy(), 0);
  await keepAlive(context, inHand, { ...meter.pace(), lagMs: lag.takeMs() });
  return 0;
}

/** OP-2: whether this worker takes work; a code that says why not. */
async function readyOf({ owner, log }: WorkerContext, stopping: AbortSignal): Promise<string> {
  if (stopping.aborted) return "stopping";
  try {
    return await readiness(owner, broughtMigrations());
  } catch (error) {
    log.warn({ event: "not_ready", error: describeError(error) });
    return "database_unreachable";
  }
}

/** CL-7: finishes or releases what it holds, within a bound, and leaves nothing in `claimed`. */
async function drain({ context, identity }: WorkerRuntime, hands: readonly Hands[]): Promise<void> {
  await beginDraining(context);
  let timer: NodeJS.Timeout | undefined;
  const bound = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DRAIN_MS);
  });
  await Promise.race([bound, Promise.all(hands.map((one) => one.allDone()))]);
  clearTimeout(timer);
  const released = await endWorker(context);
  context.log.info({ event: "worker_stopped", worker: identity.name, count: released });
}

const stopping = new AbortController();
for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => stopping.abort());

const runtime = workerRuntime();
await run(runtime, stopping.signal);
await runtime.close();
