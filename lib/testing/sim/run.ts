import { randomUUID } from "node:crypto";
import type { Client } from "pg";
import { DEFAULT_BOUNDS } from "@/lib/domain/bounds";
import type { CallOutcome } from "@/lib/domain/observation";
import {
  FINAL_STATES,
  HUMAN_STATES,
  type OperationState,
  SLOT_STATES,
} from "@/lib/domain/operation";
import { Refusal } from "@/lib/domain/refusal";
import { claimDueLooks, claimDueWork } from "@/lib/flows/claim-work";
import type { ConsoleContext, Log } from "@/lib/flows/context";
import { executeClaim } from "@/lib/flows/execute";
import { lastLooks } from "@/lib/flows/last-look";
import { reconcileClaim } from "@/lib/flows/reconcile";
import { sweep } from "@/lib/flows/sweep";
import { enterWorker } from "@/lib/store/workers";
import { type AuditedOperation, type Auditor, createAuditor } from "./auditor";
import { OPENINGS } from "./openings";
import type { MovedPools } from "./pools";
import {
  approveOne,
  daysFrom,
  descriptorFor,
  mannersFor,
  type Scenario,
  type Stage,
  setStage,
  type Wanted,
} from "./scenario";
import { observationOf, type SimCall, type SimWorker, TIMES, World } from "./world";

const WORKERS = 3;

const SILENT: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** What holds new starts when it is no pause. */
const MODES = "modes";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const FIRST = { kind: "extend", days: 10 } as const;
const SECOND = { kind: "extend", days: 20 } as const;

/** What each scenario asks for at its beginning, and what may come besides. */
const WANTED: Record<Scenario["kind"], readonly [Wanted, Wanted?]> = {
  send: [{ kind: "send" }],
  extend: [FIRST],
  extend_twice: [FIRST, SECOND],
  extend_replaced: [FIRST, SECOND],
  expire: [{ kind: "expire" }],
  void: [{ kind: "void" }],
  extend_void: [FIRST, { kind: "void" }],
  remind_twice: [{ kind: "remind" }, { kind: "remind" }],
  resend: [{ kind: "resend" }],
  timers: [
    { kind: "extend", days: 5 },
    { kind: "extend", days: 8 },
  ],
};

const UNKNOWN_DETAIL = { httpStatus: null, platformCode: null, platformRequestId: null } as const;

function unknown(cause: "timeout" | "connection_lost"): CallOutcome {
  return { kind: "unknown", detail: { cause, ...UNKNOWN_DETAIL } };
}

/** States that keep a request's other operations waiting (CL-4). */
const HOLDING = new Set<OperationState>([...SLOT_STATES, ...HUMAN_STATES]);
const SETTLED = new Set<OperationState>([...FINAL_STATES, ...HUMAN_STATES]);

/** One thing that may happen next. `weight` is how often it is drawn against the others. */
interface Action {
  readonly name: string;
  readonly weight: number;
  readonly run: () => Promise<void> | void;
}

export interface Surroundings {
  readonly pools: MovedPools;
  /** Holds the advisory locks that stand for the workers' sessions (RC-9). */
  readonly sessions: Client;
  readonly vaultKey: Buffer;
  readonly offsetMs: number;
}

/** One run of the real flows on the real database against a platform in memory, one action at a time. */
export class Run {
  readonly world: World;
  readonly trace: string[] = [];
  readonly #scenario: Scenario;
  readonly #around: Surroundings;
  #stage!: Stage;
  #auditor!: Auditor;
  #workers: SimWorker[] = [];
  #resting: readonly string[] = [];
  #restingRounds = 0;
  /** The first operation of the run. */
  #first = "";
  /** What holds new starts: a pause by its id, or the modes of all kinds. */
  #switch: string | null = null;
  #opening: readonly RegExp[];
  readonly #budget = {
    crash: 2,
    session: 1,
    foreign: 1,
    complete: 1,
    expire: 1,
    approve: 0,
    switch: 1,
    modes: 1,
  };

  constructor(scenario: Scenario, around: Surroundings) {
    this.#scenario = scenario;
    this.#opening = scenario.opening === null ? [] : OPENINGS[scenario.opening].steps;
    this.#around = around;
    this.world = new World(descriptorFor(scenario), mannersFor(scenario), around.offsetMs, (ms) =>
      around.pools.moveTo(ms),
    );
  }

  async prepare(): Promise<void> {
    const { owner } = this.#around.pools;
    const { vaultKey } = this.#around;
    this.#stage = await setStage(owner, this.world, this.#scenario, vaultKey);
    this.#auditor = createAuditor(owner, this.world, this.#stage);
    for (let count = 0; count < WORKERS; count += 1) this.#workers.push(await this.#newWorker());
    const [first, second] = WANTED[this.#scenario.kind];
    this.#first = await this.#approve(first);
    this.#budget.approve = second ? 1 : 0;
    await this.#auditor.audit(false);
  }

  /** Draws and does one action; the draw is a number from 0 to 999. False: nothing can happen any more. */
  async step(draw: number): Promise<boolean> {
    if (this.#over()) return false;
    const action = this.#opened() ?? this.#drawn(draw);
    if (!action) return false;
    const off = this.#switch !== null;
    this.trace.push(action.name);
    await action.run();
    await this.world.still();
    await this.#auditor.audit(off && this.#switch !== null);
    return true;
  }

  /** The opening's next step, when it is possible now. */
  #opened(): Action | undefined {
    const [next] = this.#opening;
    if (!next) return undefined;
    const action = this.#actions().find(({ name }) => next.test(name));
    if (action) this.#opening = this.#opening.slice(1);
    return action;
  }

  #drawn(draw: number): Action | undefined {
    const actions = this.#actions();
    const total = actions.reduce((sum, action) => sum + action.weight, 0);
    let place = Math.floor((draw / 1000) * total);
    return actions.find((one) => {
      place -= one.weight;
      return place < 0;
    });
  }

  #over(): boolean {
    const open = this.#auditor.seen.some(({ state }) => !SETTLED.has(state));
    return !open && this.#budget.approve === 0 && this.world.calls.length === 0;
  }

  /** No further fault: everything under way ends, and time passes until nothing is left to do (S5). */
  async settle(): Promise<void> {
    this.trace.push("settle");
    if (this.#switch !== null) await this.#toggleSwitch();
    for (let round = 0; round < 150; round += 1) {
      for (const worker of [...this.#workers]) await this.#finish(worker);
      const worker = this.#workers.find((one) => one.flow === null);
      if (!worker) throw new Error("every worker is stuck");
      await this.#sweep(worker);
      await this.#work(worker);
      await this.#finish(worker);
      await this.#look(worker);
      await this.#finish(worker);
      await this.#auditor.audit(false);
      if (await this.#atRest()) break;
      if (this.#unchanged() > 10) break;
      await this.world.advance(Math.max(60_000, this.#restMs()));
    }
    await this.#auditor.close();
  }

  /** For how many rounds nothing has happened: what a person holds back stays as it is. */
  #unchanged(): number {
    const now = this.#auditor.seen.map(({ op_id, chain_length }) => `${op_id} ${chain_length}`);
    const same = now.join() === this.#resting.join();
    this.#resting = now;
    this.#restingRounds = same ? this.#restingRounds + 1 : 0;
    return this.#restingRounds;
  }

  /** How long nothing but timers is to come; 0 while anything else is open. */
  #restMs(): number {
    const open = this.#auditor.seen.filter(({ state }) => !SETTLED.has(state));
    if (open.some(({ state }) => state !== "scheduled")) return 0;
    const next = Math.min(...open.map(({ due_at }) => due_at.getTime()));
    return Number.isFinite(next) ? next - this.world.nowMs() : 0;
  }

  async #atRest(): Promise<boolean> {
    const open = await this.#around.pools.owner.operation.count({
      where: {
        tenantId: this.#stage.tenantId,
        state: {
          notIn: [
            "done",
            "obsolete",
            "superseded",
            "failed_terminal",
            "quarantined",
            "needs_review",
          ],
        },
      },
    });
    return open === 0 && this.world.calls.length === 0;
  }

  /** Lets a worker's pass run to its end, with honest answers. A call whose client is gone lands when D is over. */
  async #finish(worker: SimWorker): Promise<void> {
    for (let turn = 0; worker.flow && turn < 20; turn += 1) {
      if (worker.paused) this.#resume(worker);
      const call = this.world.calls.find((one) => one.worker === worker && one.client !== null);
      if (call) this.#honestly(call);
      await this.world.still();
    }
  }

  #honestly(call: SimCall): void {
    if (!call.change) {
      this.world.answer(call, observationOf(this.world, call, this.world.nowMs()));
      return;
    }
    if (call.stage === "waiting") this.world.leave(call);
    if (call.stage === "travelling") this.world.land(call);
    this.world.answer(call, call.outcome ?? unknown("connection_lost"));
  }

  #actions(): Action[] {
    return [
      ...this.#idleActions(),
      ...this.#workers.flatMap((worker) => this.#busyActions(worker)),
      ...this.world.calls.flatMap((call) => this.#callActions(call)),
      ...this.#timeActions(),
      ...this.#outsideActions(),
    ];
  }

  /** What an idle worker could usefully do now; which of them does it makes no difference. */
  #idleActions(): Action[] {
    const worker = this.#workers.find((one) => one.flow === null);
    if (!worker) return [];
    const { name } = worker;
    const now = this.world.nowMs();
    const { seen } = this.#auditor;
    const actions: Action[] = [];
    const free = !seen.some(({ state }) => HOLDING.has(state));
    const due = ({ state, due_at }: AuditedOperation) =>
      state === "scheduled" && due_at.getTime() <= now;
    if (seen.some(due)) {
      actions.push({ name: `${name} works`, weight: free ? 20 : 2, run: () => this.#work(worker) });
    }
    const isDue = (at: Date | null) => at !== null && at.getTime() <= now;
    if (
      seen.some(({ state, next_look_at }) => state === "needs_reconcile" && isDue(next_look_at))
    ) {
      actions.push({ name: `${name} looks`, weight: 20, run: () => this.#look(worker) });
    }
    if (seen.some(({ lease_until }) => isDue(lease_until))) {
      actions.push({ name: `${name} sweeps`, weight: 20, run: () => this.#sweep(worker) });
      const still = () => this.#sweep(worker, true);
      actions.push({ name: `${name} sweeps and stands still`, weight: 6, run: still });
    }
    return actions;
  }

  #busyActions(worker: SimWorker): Action[] {
    const { name } = worker;
    if (worker.flow === null) return [];
    const { flow } = worker;
    const { world } = this;
    const waitsForCall = world.calls.some((call) => call.worker === worker && call.change !== null);
    const actions: Action[] = [];
    if (worker.paused) {
      actions.push({ name: `${name} wakes`, weight: 8, run: () => this.#resume(worker) });
    } else if (flow.pauseNext === null) {
      for (const when of ["before", "after"] as const) {
        actions.push({
          name: `${name} will stand still ${when} its next write`,
          weight: 3,
          run: () => {
            flow.pauseNext = when;
          },
        });
      }
    }
    if (this.#budget.crash > 0) {
      actions.push({
        name: `${name} dies`,
        weight: waitsForCall ? 2 : 1,
        run: () => this.#die(worker),
      });
    }
    if (this.#budget.session > 0) {
      actions.push({
        name: `${name} loses its session`,
        weight: worker.paused ? 6 : 1,
        run: () => this.#loseSession(worker),
      });
    }
    return actions;
  }

  #callActions(call: SimCall): Action[] {
    return call.change ? this.#changeActions(call) : this.#readActions(call);
  }

  #readActions(call: SimCall): Action[] {
    if (!call.client) return [];
    const { world } = this;
    const show = (asOfMs: number) => () => world.answer(call, observationOf(world, call, asOfMs));
    const lagMs = this.#scenario.lookup === "eventual" ? TIMES.visibilityMs - 2_000 : 0;
    return [
      { name: "read shows now", weight: 30, run: show(world.nowMs()) },
      { name: "read shows a while ago", weight: 4, run: show(world.nowMs() - lagMs) },
      { name: "read shows its beginning", weight: 4, run: show(call.createdAtMs) },
      {
        name: "read fails",
        weight: 2,
        run: () =>
          world.answer(call, {
            kind: "unreadable",
            detail: { cause: "timeout", ...UNKNOWN_DETAIL },
          }),
      },
    ];
  }

  #changeActions(call: SimCall): Action[] {
    const { world } = this;
    if (call.stage === "waiting") {
      return [{ name: "call leaves", weight: 20, run: () => world.leave(call) }];
    }
    const actions: Action[] = [];
    const waits = call.client !== null;
    if (call.stage === "travelling") {
      // A call that nobody waits for any more is where the danger is: it is left alone for a while.
      const newer = world.calls.some((one) => one.change && one.createdAtMs < call.createdAtMs);
      const name = newer ? "call lands, the newer one" : "call lands";
      actions.push({ name, weight: waits ? 10 : 3, run: () => world.land(call) });
      actions.push({ name: "call is lost", weight: waits ? 2 : 1, run: () => this.#lose(call) });
      if (waits) {
        actions.push({
          name: "429 without effect",
          weight: 1,
          run: () => this.#declined(call, true),
        });
        actions.push({
          name: "connection breaks",
          weight: 10,
          run: () => world.answer(call, unknown("connection_lost")),
        });
      }
      if (waits && call.change?.kind !== "send") {
        actions.push({
          name: "2xx before the effect",
          weight: 6,
          run: () => world.answer(call, { kind: "accepted", platformRef: null }),
        });
      }
      if (waits && world.nowMs() - call.leftAtMs >= TIMES.timeoutMs) {
        actions.push({
          name: "client gives up",
          weight: 16,
          run: () => world.answer(call, unknown("timeout")),
        });
      }
    }
    if (call.stage === "landed" && waits) {
      const outcome = call.outcome ?? unknown("connection_lost");
      actions.push({ name: "answer arrives", weight: 12, run: () => world.answer(call, outcome) });
      actions.push({
        name: "answer is lost",
        weight: 10,
        run: () => world.answer(call, unknown("connection_lost")),
      });
      if (this.#scenario.rateLimit === "unstated") {
        actions.push({
          name: "429 with effect",
          weight: 2,
          run: () => this.#declined(call, false),
        });
      }
    }
    return actions;
  }

  #declined(call: SimCall, withoutEffect: boolean): void {
    if (withoutEffect) call.stage = "gone";
    this.world.answer(call, {
      kind: "declined",
      by: "rate_limit",
      retryAfterMs: null,
      detail: { cause: "unlisted", ...UNKNOWN_DETAIL },
    });
  }

  #lose(call: SimCall): void {
    call.stage = "gone";
    if (call.client) this.world.answer(call, unknown("connection_lost"));
    this.world.forgetDone();
  }

  #timeActions(): Action[] {
    const pass = (ms: number, weight: number): Action => ({
      name: `${ms / 1000} s pass`,
      weight,
      run: () => this.world.advance(ms),
    });
    const short = [
      pass(5_000, 1),
      pass(31_000, 2),
      pass(TIMES.leaseMs + 1_000, 2),
      pass(220_000, 1),
    ];
    const hourOff = this.world.nowMs() + HOUR_MS;
    const timers = this.#auditor.seen.some(
      ({ state, due_at }) => state === "scheduled" && due_at.getTime() > hourOff,
    );
    return timers ? [...short, pass(DAY_MS, 6)] : short;
  }

  #outsideActions(): Action[] {
    const actions: Action[] = [];
    const { request } = this.#stage;
    const { world } = this;
    // What happens before any call has left is told by the read before it.
    const outsiders = this.#scenario.outsiders && (world.callsLeft > 0 || this.#opening.length > 0);
    if (this.#budget.approve > 0) {
      actions.push({
        name: "a second one is approved",
        weight: 5,
        run: () => this.#second(),
      });
    }
    if (request && outsiders && this.#budget.foreign > 0) {
      actions.push({
        name: "somebody else moves the expiry",
        weight: 1,
        run: () => {
          this.#budget.foreign -= 1;
          world.platform.edit(
            request.platformRef,
            { expiresAt: daysFrom(world, 5) },
            world.nowMs(),
          );
        },
      });
    }
    if (request && outsiders && this.#scenario.revivable && this.#budget.expire > 0) {
      actions.push({
        name: "the platform lets it expire",
        weight: 1,
        run: () => {
          this.#budget.expire -= 1;
          world.platform.edit(request.platformRef, { status: "expired" }, world.nowMs());
        },
      });
    }
    if (request && outsiders && this.#budget.complete > 0) {
      actions.push({
        name: "the signer completes",
        weight: 1,
        run: () => {
          this.#budget.complete -= 1;
          world.platform.edit(request.platformRef, { status: "completed" }, world.nowMs());
        },
      });
    }
    if (this.#switch !== null || this.#budget.switch > 0) {
      actions.push({
        name: this.#switch ? "switch off" : "switch on",
        weight: this.#switch ? 8 : 1,
        run: () => this.#toggleSwitch(),
      });
    }
    if (this.#switch === null && this.#budget.modes > 0) {
      actions.push({ name: "every kind is off", weight: 1, run: () => this.#allOff() });
    }
    return actions;
  }

  #approve(wanted: Wanted): Promise<string> {
    const { owner } = this.#around.pools;
    return approveOne(this.#console(), owner, this.#stage, this.world, wanted);
  }

  /** The second operation may come too late for the facts: then it is refused, which is an answer. */
  async #second(): Promise<void> {
    this.#budget.approve -= 1;
    const [, wanted] = WANTED[this.#scenario.kind];
    if (!wanted) return;
    const replaces = this.#scenario.kind === "extend_replaced" && wanted.kind === "extend";
    try {
      await this.#approve(replaces ? { ...wanted, supersedesOpId: this.#first } : wanted);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.trace.push(`refused: ${error.code}`);
    }
  }

  async #toggleSwitch(): Promise<void> {
    const { tenantId } = this.#stage;
    const { owner } = this.#around.pools;
    if (this.#switch === MODES) {
      await owner.kindMode.updateMany({ where: { tenantId }, data: { mode: "live" } });
      this.#switch = null;
      return;
    }
    if (this.#switch !== null) {
      await owner.pause.update({
        where: { tenantId_id: { tenantId, id: this.#switch } },
        data: { resumedAt: new Date(), resumedBy: "user:test" },
      });
      this.#switch = null;
      return;
    }
    this.#budget.switch -= 1;
    this.#switch = randomUUID();
    await owner.pause.create({
      data: { tenantId, id: this.#switch, scope: "tenant", pausedBy: "user:test" },
    });
  }

  /** GO-1: a kind that is not live starts nothing, like one that a switch holds. */
  async #allOff(): Promise<void> {
    const { tenantId } = this.#stage;
    this.#budget.modes -= 1;
    this.#switch = MODES;
    await this.#around.pools.owner.kindMode.updateMany({
      where: { tenantId },
      data: { mode: "off" },
    });
  }

  async #newWorker(): Promise<SimWorker> {
    const { pools, sessions, vaultKey } = this.#around;
    const worker = this.world.newWorker({
      owner: pools.owner,
      db: pools.worker,
      vaultKey,
      bounds: { ...DEFAULT_BOUNDS, attemptsMax: 3, lookBackoffMs: 2_000, lookBackoffMaxMs: 60_000 },
      chance: () => 0.5,
      log: SILENT,
    });
    const { id, name, sessionKey } = worker;
    await enterWorker(pools.owner, { id, name, sessionKey, build: "sim" });
    await sessions.query("SELECT pg_advisory_lock($1)", [sessionKey.toString()]);
    return worker;
  }

  async #endSession(worker: SimWorker): Promise<void> {
    await this.#around.sessions.query("SELECT pg_advisory_unlock($1)", [
      worker.sessionKey.toString(),
    ]);
  }

  async #die(worker: SimWorker): Promise<void> {
    this.#budget.crash -= 1;
    this.world.crash(worker);
    await this.#endSession(worker);
    this.#workers = this.#workers.filter((one) => one !== worker);
    this.#workers.push(await this.#newWorker());
  }

  /** The network to the database is cut; the process goes on and may still send (the window that P bounds). */
  async #loseSession(worker: SimWorker): Promise<void> {
    this.#budget.session -= 1;
    await this.#endSession(worker);
  }

  #resume(worker: SimWorker): void {
    const { paused } = worker;
    worker.paused = null;
    paused?.release(undefined);
  }

  #console(): ConsoleContext {
    return { db: this.#around.pools.console, vaultKey: this.#around.vaultKey, log: SILENT };
  }

  #work(worker: SimWorker): Promise<void> {
    return this.world.run(worker, async () => {
      const [hand] = await claimDueWork(worker.context, 1);
      if (hand) await executeClaim(worker.context, hand);
    });
  }

  #look(worker: SimWorker): Promise<void> {
    return this.world.run(worker, async () => {
      const [hand] = await claimDueLooks(worker.context, 1);
      if (hand) await reconcileClaim(worker.context, hand);
      else await lastLooks(worker.context);
    });
  }

  #sweep(worker: SimWorker, standStill = false): Promise<void> {
    return this.world.run(worker, async () => {
      if (standStill && worker.flow) worker.flow.pauseNext = "before";
      await sweep(worker.context);
    });
  }

  /** Gives back the advisory locks, so that a run leaves nothing behind. */
  async close(): Promise<void> {
    await this.#around.sessions.query("SELECT pg_advisory_unlock_all()");
  }
}
