/** One error of model.md section 6, made in the code: the simulation has to find it. */
export interface InjectedError {
  readonly id: number;
  readonly about: string;
  /** Each text is replaced once; all must be there, so that an error cannot quietly miss its place. */
  readonly edits: readonly {
    readonly file: string;
    readonly find: string;
    readonly replace: string;
  }[];
}

/** Errors 1 to 13 are those of model.md; number 5 stands for events that are applied in the order they arrive. */
export const INJECTED_ERRORS: readonly InjectedError[] = [
  {
    id: 1,
    about: "a lease that ends while submitting is scheduled again",
    edits: [
      {
        file: "lib/flows/sweep.ts",
        find: 'return { to: "needs_reconcile", reason: "worker_lost", owner: null, lookInMs: 0 };',
        replace: 'return { to: "scheduled", reason: "worker_lost", owner: null, lookInMs: 0 };',
      },
    ],
  },
  {
    id: 2,
    about: "the first read that shows nothing schedules again",
    edits: [
      {
        file: "lib/domain/quiet-time.ts",
        find: 'return "fromMs" in counts && readStartedAtMs >= counts.fromMs;',
        replace: "return true;",
      },
    ],
  },
  {
    id: 3,
    about: "no check of the lease before the call",
    edits: [
      {
        file: "lib/flows/execute.ts",
        find: "  if (why !== null) {",
        replace: "  if (why !== null && intent.askedAtMs < 0) {",
      },
    ],
  },
  {
    id: 4,
    about: "outcomes are written without the fence",
    edits: [
      {
        file: "lib/store/outcomes.ts",
        find: 'AND o.op_id = w."opId" AND o.fence = w.fence AND o.state = w."from"\n        FOR UPDATE',
        replace: 'AND o.op_id = w."opId" AND o.state = w."from"\n        FOR UPDATE',
      },
      {
        file: "lib/store/outcomes.ts",
        find: 'AND o.fence = w.fence AND o.state = w."from"\n    RETURNING',
        replace: 'AND o.state = w."from"\n    RETURNING',
      },
    ],
  },
  {
    id: 5,
    about: "reads are mirrored in the order in which they are written, not in which they were made",
    edits: [
      {
        file: "lib/store/mirror.ts",
        find: "AND (mirror_read_at IS NULL OR mirror_read_at <= ${read.startedAt})\n",
        replace: "\n",
      },
      {
        file: "lib/store/mirror.ts",
        find: "AND (NOT mirror_terminal OR mirror_status = ${request.status})`",
        replace: "`",
      },
    ],
  },
  {
    id: 6,
    about: "what a person has to decide holds nothing",
    edits: [
      {
        file: "lib/store/claims.ts",
        find: "OR s.state IN ('quarantined', 'needs_review')\n",
        replace: "OR s.state IN ('nothing')\n",
      },
    ],
  },
  {
    id: 7,
    about:
      "a refusal is final although an earlier attempt is unknown (with a wait that forgets P and V)",
    edits: [
      {
        file: "lib/domain/judge-after-call.ts",
        find: 'if (operation.earlierUnknown) {\n    return { to: "needs_reconcile", reason: "refused_after_unknown" };\n  }\n  if (operation.target.kind',
        replace: "if (operation.target.kind",
      },
      {
        file: "lib/domain/quiet-time.ts",
        find: "if (open.some((attempt) => attempt.reportedAtMs === null && attempt.workerAlive)) {",
        replace: "if (open.length < 0) {",
      },
      {
        file: "lib/domain/quiet-time.ts",
        find: "return { fromMs: Math.max(...quiet) + visibilityMs };",
        replace:
          "return { fromMs: Math.max(...quiet) - processingMs - pauseMs + 0 * visibilityMs };",
      },
    ],
  },
  {
    id: 8,
    about: "a success code is taken for the effect",
    edits: [
      {
        file: "lib/domain/judge-after-call.ts",
        find: "const ref = platformRef === null ? {} : { platformRef };",
        replace:
          'const ref = platformRef === null ? {} : { platformRef };\n  if (ref) return { to: "done", reason: "effect_confirmed", ...ref };',
      },
    ],
  },
  {
    id: 9,
    about: "a 429 without a promise schedules again",
    edits: [
      {
        file: "lib/domain/judge-after-call.ts",
        find: 'if (promise !== "guaranteed") {',
        replace: 'if (promise === "observed_false") {',
      },
    ],
  },
  {
    id: 10,
    about: "several operations of a request at once",
    edits: [
      {
        file: "lib/store/claims.ts",
        find: "AND (s.state IN ('claimed', 'submitting', 'needs_reconcile', 'reconciling')\n",
        replace: "AND (s.state IN ('nothing')\n",
      },
      {
        file: "lib/flows/ledger.sim.test.ts",
        find: "sessions = new Client({ connectionString: database.url });",
        replace:
          'await pools.owner.$executeRawUnsafe("DROP INDEX operations_one_in_flight");\n  sessions = new Client({ connectionString: database.url });',
      },
    ],
  },
  {
    id: 11,
    about: "the sweeper updates by id from an old read",
    edits: [
      {
        file: "lib/store/ended-leases.ts",
        find: "AND state = ${ended.state} AND fence = ${ended.fence} AND lease_until = ${ended.leaseUntil}::timestamptz\n      AND lease_until <= ledger_now()`",
        replace: "`",
      },
    ],
  },
  {
    id: 12,
    about: "the wait is counted when the verdict is written, not when the read began",
    edits: [
      {
        file: "lib/flows/reconcile.ts",
        find: "absenceCounts: provesAbsence(counts, reading.startedAt.getTime()),",
        replace: "absenceCounts: provesAbsence(counts, writtenAtMs),",
      },
      {
        file: "lib/flows/reconcile.ts",
        find: "lookPhase(pass, reading, counts),",
        replace:
          "lookPhase(pass, reading, counts, databaseTimeReached(hand, context.clock).getTime()),",
      },
      {
        file: "lib/flows/reconcile.ts",
        find: "function lookPhase(pass: Pass, reading: Reading, counts: AbsenceCounts): Phase {",
        replace:
          "function lookPhase(pass: Pass, reading: Reading, counts: AbsenceCounts, writtenAtMs: number): Phase {",
      },
      {
        file: "lib/flows/reconcile.ts",
        find: 'import type { Hand } from "./hand";',
        replace: 'import { databaseTimeReached, type Hand } from "./hand";',
      },
    ],
  },
  {
    id: 13,
    about: "an old value in the read after the call is taken for a failure",
    edits: [
      {
        file: "lib/domain/judge-after-call.ts",
        find: ': { to: "needs_reconcile", reason: "readback_shows_old_value", ...ref };',
        replace: ': { to: "failed_terminal", reason: "rejected_payload" };',
      },
    ],
  },
  {
    id: 14,
    about: "a reminder of which nobody can tell does not count as one",
    edits: [
      {
        file: "lib/flows/end-pass.ts",
        find: 'if (end.verdict.reason === "skipped_unknown") await recordContact(tx, context, pass, false);',
        replace: "",
      },
    ],
  },
  {
    id: 15,
    about: "the delivery that was there before is taken for the resend",
    edits: [
      {
        file: "lib/domain/shown-contact.ts",
        find: 'if (difference === 0) return "same";',
        replace: 'if (difference === 0) return "newer";',
      },
    ],
  },
];
