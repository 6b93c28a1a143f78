import { randomUUID } from "node:crypto";
import type { CapabilityDescriptor } from "@/lib/domain/capability";
import type { CallOutcome, Observation } from "@/lib/domain/observation";
import type { WorkerContext } from "@/lib/flows/worker-context";
import type { Provider, TargetCall } from "@/lib/providers/port";
import type { Database } from "@/lib/store/db";
import { createGates, type Flow, type Gates, type Held, newFlow } from "./gates";
import { type Change, createModelPlatform, type Manners, type ModelPlatform } from "./platform";

/** The times of a run, in milliseconds. Real time that passes meanwhile is small against all of them. */
export const TIMES = {
  leaseMs: 100_000,
  timeoutMs: 30_000,
  pauseMs: 20_000,
  processingMs: 60_000,
  visibilityMs: 20_000,
} as const;

/** Kept back from P and D, so that real time spent in between never breaks a promise of the model. */
const SLACK_MS = 3_000;

/** One call on its way: a read or a change. */
export interface SimCall {
  readonly worker: SimWorker;
  readonly change: Change | null;
  readonly read: { readonly ref: string } | { readonly reference: string } | null;
  readonly createdAtMs: number;
  /** `waiting`: its worker has passed the last check and nothing has left. */
  stage: "waiting" | "travelling" | "landed" | "gone";
  leftAtMs: number;
  outcome: CallOutcome | null;
  /** Null once the client has its answer or has given up. */
  client: Held<CallOutcome | Observation> | null;
}

export interface SimWorker {
  readonly id: string;
  readonly name: string;
  readonly sessionKey: bigint;
  flow: Flow | null;
  paused: Held<undefined> | null;
  readonly context: WorkerContext;
}

/** Everything that can happen in one run, and the time in which it happens. */
export class World {
  readonly platform: ModelPlatform;
  readonly gates: Gates = createGates();
  readonly descriptor: CapabilityDescriptor;
  calls: SimCall[] = [];
  /** How many calls have left a worker so far. */
  callsLeft = 0;
  #offsetMs: number;
  readonly #moveTo: (offsetMs: number) => Promise<void>;

  constructor(
    descriptor: CapabilityDescriptor,
    manners: Manners,
    offsetMs: number,
    moveTo: (offsetMs: number) => Promise<void>,
  ) {
    this.platform = createModelPlatform(manners);
    this.descriptor = descriptor;
    this.#offsetMs = offsetMs;
    this.#moveTo = moveTo;
  }

  get offsetMs(): number {
    return this.#offsetMs;
  }

  nowMs(): number {
    return Date.now() + this.#offsetMs;
  }

  elapsedMs(): number {
    return performance.now() + this.#offsetMs;
  }

  /** Lets time pass. A call leaves within P and lands within D at the latest, as the descriptor promises. */
  async advance(ms: number): Promise<void> {
    const endMs = this.nowMs() + ms;
    for (;;) {
      const next = this.#nextForced();
      if (next === null || next.atMs > endMs) break;
      await this.#setNow(Math.max(this.nowMs(), next.atMs));
      next.force();
    }
    await this.#setNow(Math.max(this.nowMs(), endMs));
  }

  async #setNow(atMs: number): Promise<void> {
    this.#offsetMs += atMs - this.nowMs();
    await this.#moveTo(this.#offsetMs);
    this.platform.tick(this.nowMs());
  }

  #nextForced(): { atMs: number; force: () => void } | null {
    const forced = this.calls.flatMap((call) => {
      if (!call.change) return [];
      if (call.stage === "waiting") {
        const atMs = call.createdAtMs + TIMES.pauseMs - SLACK_MS;
        return [{ atMs, force: () => this.leave(call) }];
      }
      if (call.stage === "travelling") {
        const atMs = call.leftAtMs + TIMES.processingMs - SLACK_MS;
        return [{ atMs, force: () => this.land(call) }];
      }
      return [];
    });
    return forced.sort((a, b) => a.atMs - b.atMs)[0] ?? null;
  }

  leave(call: SimCall): void {
    this.callsLeft += 1;
    call.stage = "travelling";
    call.leftAtMs = this.nowMs();
  }

  land(call: SimCall): void {
    if (!call.change) return;
    call.outcome = this.platform.apply(call.change, this.nowMs());
    call.stage = "landed";
  }

  /** Gives the client its answer; a call that has landed or is lost is then over. */
  answer(call: SimCall, answer: CallOutcome | Observation): void {
    const client = call.client;
    call.client = null;
    if (!call.change) call.stage = "gone";
    client?.release(answer);
    this.forgetDone();
  }

  forgetDone(): void {
    this.calls = this.calls.filter(
      (call) => call.client !== null || call.stage === "travelling" || call.stage === "waiting",
    );
  }

  /** The process is gone: what waited in it never leaves, what travels goes on. */
  crash(worker: SimWorker): void {
    if (worker.flow) worker.flow.dropped = true;
    worker.flow = null;
    worker.paused = null;
    for (const call of this.calls.filter((one) => one.worker === worker)) {
      call.client = null;
      if (call.stage === "waiting" || !call.change) call.stage = "gone";
    }
    this.forgetDone();
  }

  newWorker(base: Omit<WorkerContext, "worker" | "clock" | "providerOf">): SimWorker {
    const id = randomUUID();
    const worker: SimWorker = {
      id,
      name: `w-${id.slice(0, 4)}`,
      sessionKey: BigInt(Math.floor(Math.random() * 2 ** 52)),
      flow: null,
      paused: null,
      context: {
        ...base,
        db: this.#pausable(base.db, () => worker),
        owner: this.#pausable(base.owner, () => worker),
        worker: { id, name: `w-${id.slice(0, 4)}` },
        clock: { elapsedMs: () => this.elapsedMs() },
        providerOf: () => this.#provider(worker),
      },
    };
    return worker;
  }

  /** Runs one pass of a worker until it stands still. */
  async run(worker: SimWorker, pass: () => Promise<unknown>): Promise<void> {
    const flow = newFlow(worker.name);
    worker.flow = flow;
    this.gates.start(flow, async () => {
      try {
        await pass();
      } finally {
        if (worker.flow === flow) worker.flow = null;
      }
    });
    await this.still();
    if (flow.error) throw flow.error;
  }

  still(): Promise<void> {
    return this.gates.still();
  }

  /** A worker that was told to pause stands still before or after its next transaction or write. */
  #pausable(database: Database, of: () => SimWorker): Database {
    const gate = async (when: "before" | "after") => {
      const { flow } = of();
      if (flow?.pauseNext !== when) return;
      flow.pauseNext = null;
      await this.gates.hold<undefined>(flow, "pause", (held) => {
        of().paused = held;
      });
    };
    return new Proxy(database, {
      get(target, property) {
        const value: unknown = Reflect.get(target, property);
        if (typeof value !== "function") return value;
        if (property !== "$transaction" && property !== "$executeRaw") return value.bind(target);
        return async (...parts: unknown[]) => {
          await gate("before");
          const result: unknown = await value.apply(target, parts);
          await gate("after");
          return result;
        };
      },
    });
  }

  #call<T extends CallOutcome | Observation>(
    worker: SimWorker,
    what: Pick<SimCall, "change" | "read">,
  ): Promise<T> {
    const { flow } = worker;
    if (!flow) throw new Error("a call came from a worker that runs nothing");
    return this.gates.hold<T>(flow, "call", (held) => {
      this.calls.push({
        worker,
        ...what,
        createdAtMs: this.nowMs(),
        stage: "waiting",
        leftAtMs: 0,
        outcome: null,
        client: held as unknown as Held<CallOutcome | Observation>,
      });
    });
  }

  #provider(worker: SimWorker): Provider {
    const change = (kind: "expire" | "void" | "remind" | "resend") => (call: TargetCall) => {
      const { opId, platformRef, ifVersion } = call;
      return this.#call<CallOutcome>(worker, {
        change: { kind, opId, platformRef, ifVersion },
        read: null,
      });
    };
    return {
      descriptor: this.descriptor,
      readRequest: (ref) => this.#call(worker, { change: null, read: { ref } }),
      findByReference: (reference) => this.#call(worker, { change: null, read: { reference } }),
      send: ({ opId, expiresAt }) =>
        this.#call(worker, { change: { kind: "send", opId, expiresAt }, read: null }),
      extend: ({ opId, platformRef, expiresAt, ifVersion }) =>
        this.#call(worker, {
          change: { kind: "extend", opId, platformRef, expiresAt, ifVersion },
          read: null,
        }),
      resend: change("resend"),
      remind: change("remind"),
      expire: change("expire"),
      void: change("void"),
      verifyWebhook: () => ({ authentic: false, why: "signature" }),
      parseEvent: () => null,
    };
  }
}

/** What a read shows that looks at the platform as it was at `asOfMs`. */
export function observationOf(world: World, call: SimCall, asOfMs: number): Observation {
  if (call.read && "ref" in call.read) {
    const request = world.platform.read(call.read.ref, asOfMs);
    return request ? { kind: "read", matches: [request] } : { kind: "not_found" };
  }
  const matches = call.read ? world.platform.find(call.read.reference, asOfMs) : [];
  return matches.length > 0 ? { kind: "read", matches } : { kind: "not_found" };
}
