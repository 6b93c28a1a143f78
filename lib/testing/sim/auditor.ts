import { type ChainEntry, verifyChain } from "@/lib/domain/chain";
import type { OperationKind, OperationState } from "@/lib/domain/operation";
import type { Database } from "@/lib/store/db";
import { MIN_INTERVAL_HOURS, type Stage } from "./scenario";
import { TIMES, type World } from "./world";

/** An operation's row as the auditor last saw it. */
export interface AuditedOperation {
  readonly op_id: string;
  readonly kind: OperationKind;
  readonly state: OperationState;
  readonly reason: string;
  readonly attempts: number;
  readonly request_ref: string;
  readonly approved_at: Date | null;
  readonly due_at: Date;
  readonly lease_until: Date | null;
  readonly next_look_at: Date | null;
  readonly chain_length: number;
  readonly chain_head: string;
}

interface AuditedRequest {
  readonly ref: string;
  readonly mirror_status: string | null;
  readonly mirror_terminal: boolean;
}

/** Knows what must be true of any ledger at any moment, and says which property was broken (model.md). */
export interface Auditor {
  /** The operations as they were at the last audit. */
  readonly seen: readonly AuditedOperation[];
  /** Looks after one action; `switchedOff` says that new starts were held during all of it. */
  audit(switchedOff: boolean): Promise<void>;
  /** After the run: everything is final or with a person, and every history verifies. */
  close(): Promise<void>;
}

export class Broken extends Error {
  override readonly name = "Broken";
}

function broken(property: string, operation: AuditedOperation | null, what: string): never {
  const about = operation ? ` (${operation.kind} ${operation.state} ${operation.reason})` : "";
  throw new Broken(`${property}: ${what}${about}`);
}

/** States that say "the platform did not apply it". */
const NOT_APPLIED = new Set<OperationState>(["failed_terminal", "superseded"]);
const HUMAN = new Set<OperationState>(["quarantined", "needs_review"]);
const ENDED = new Set<OperationState>(["done", "obsolete", "superseded", "failed_terminal"]);

/** Kinds whose effect a second call would make once more, with the property's name for two of them. */
const ADDITIVE = new Set<OperationKind>(["send", "remind", "resend"]);

/** An end of a reminder or resend that admits not to know, or not to have seen, what happened (RC-5, PL-6). */
const UNSEEN = new Set(["skipped_unknown", "accepted_unverified"]);

/** How late an effect may come after the check that let its call leave. */
const LATEST_MS = TIMES.pauseMs + TIMES.processingMs + TIMES.visibilityMs;

export function createAuditor(owner: Database, world: World, stage: Stage): Auditor {
  const { tenantId } = stage;
  const doneWith = new Map<string, number>();
  let before = new Map<string, OperationState>();
  let seen: readonly AuditedOperation[] = [];
  const endedMirrors = new Map<string, string>();
  const effectsOf = (opId: string) => world.platform.effects.filter((one) => one.opId === opId);

  const load = () =>
    owner.$queryRaw<AuditedOperation[]>`
      SELECT op_id, kind, state, reason, attempts, request_ref, approved_at,
        due_at, lease_until, next_look_at, chain_length, chain_head
      FROM operations
      WHERE tenant_id = ${tenantId}::uuid ORDER BY created_at`;

  function auditEffects(operation: AuditedOperation): void {
    const count = effectsOf(operation.op_id).length;
    if (ADDITIVE.has(operation.kind) && count > 1) broken("S1", operation, "took effect twice");
    const unseen = UNSEEN.has(operation.reason);
    if (operation.state === "done") {
      const known = doneWith.get(operation.op_id);
      if (known === undefined && count === 0 && !unseen && !showsTarget(operation)) {
        broken("S2", operation, "done, and the platform never applied it");
      }
      const first = known ?? Math.max(count, unseen ? 1 : 0);
      doneWith.set(operation.op_id, first);
      if (count > first) broken("L", operation, "the effect of a done operation landed again");
    }
    if (NOT_APPLIED.has(operation.state) && count > 0) {
      broken("S3", operation, "closed as not applied, and it was applied");
    }
    const excused = operation.kind === "extend" && world.platform.foreignEdit;
    if (operation.state === "obsolete" && count > 0 && !excused && !unseen) {
      broken("S3", operation, "closed as not needed, and it was applied");
    }
    if (operation.state === "scheduled" && count > 0) {
      broken("S3", operation, "scheduled again, and it was applied");
    }
  }

  /**
   * True when what the platform holds is the target although the effect was another's: an end, or a later reminder or
   * delivery than the approval. Its time stamp decides and names nobody (RC-5).
   */
  function showsTarget({ kind, op_id, approved_at }: AuditedOperation): boolean {
    if (kind === "remind" || kind === "resend") {
      const since = approved_at?.getTime() ?? Number.POSITIVE_INFINITY;
      return world.platform.effects.some(
        (one) => one.kind === kind && one.opId !== op_id && one.atMs >= since,
      );
    }
    const ref = stage.request?.platformRef;
    const status = ref && world.platform.read(ref, world.nowMs())?.status;
    return (kind === "void" && status === "voided") || (kind === "expire" && status === "expired");
  }

  /** RM-2: no reminder follows another contact sooner than the policy allows. */
  function auditInterval(operations: readonly AuditedOperation[]): void {
    const contacts = world.platform.effects.filter(
      ({ kind }) => kind === "remind" || kind === "resend",
    );
    for (const [place, effect] of contacts.entries()) {
      const last = contacts[place - 1];
      if (effect.kind !== "remind" || !last) continue;
      if (effect.atMs - last.atMs < MIN_INTERVAL_HOURS * 3_600_000 - LATEST_MS) {
        const by = operations.find((one) => one.op_id === effect.opId) ?? null;
        broken("RM2", by, "reminded again before the interval was over");
      }
    }
  }

  function auditOrder(operations: readonly AuditedOperation[]): void {
    const extensions = operations.filter((one) => one.kind === "extend" && one.approved_at);
    const [older, newer] = extensions;
    if (!older || !newer || newer.state !== "done") return;
    const newerAt = effectsOf(newer.op_id)[0]?.atMs ?? Number.POSITIVE_INFINITY;
    if (effectsOf(older.op_id).some((effect) => effect.atMs > newerAt)) {
      broken("TM3", older, "an older extension overwrote a newer one that is done");
    }
  }

  function auditStarts(operations: readonly AuditedOperation[], switchedOff: boolean): void {
    for (const operation of operations) {
      const started =
        operation.state === "submitting" && before.get(operation.op_id) !== "submitting";
      if (!started) continue;
      if (switchedOff) broken("K", operation, "an intent was stored while the switch was on");
      const withPerson = operations.find(
        (other) => other !== operation && HUMAN.has(before.get(other.op_id) ?? "proposed"),
      );
      if (withPerson) broken("H", operation, "started while an operation is with a person");
    }
  }

  async function auditMirrors(): Promise<void> {
    const requests = await owner.$queryRaw<AuditedRequest[]>`
      SELECT ref, mirror_status, mirror_terminal FROM requests WHERE tenant_id = ${tenantId}::uuid`;
    for (const { ref, mirror_status, mirror_terminal } of requests) {
      const ended = endedMirrors.get(ref);
      if (ended !== undefined && mirror_status !== ended) {
        broken("S7", null, `the mirror left ${ended} for ${mirror_status}`);
      }
      if (mirror_terminal && mirror_status !== null) endedMirrors.set(ref, mirror_status);
    }
  }

  async function auditHistory(operations: readonly AuditedOperation[]): Promise<void> {
    for (const operation of operations) {
      const entries = await owner.$queryRaw<ChainEntry[]>`
        SELECT seq, kind, from_state AS "fromState", to_state AS "toState", reason, actor, body, hash,
          to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at
        FROM operation_events
        WHERE tenant_id = ${tenantId}::uuid AND op_id = ${operation.op_id}::uuid ORDER BY seq`;
      const { chain_length: length, chain_head: hash, op_id: opId } = operation;
      const verdict = verifyChain({ tenantId, opId, length, hash }, entries);
      if (!verdict.verified) broken("S4", operation, "a history does not verify");
    }
  }

  return {
    get seen() {
      return seen;
    },
    async audit(switchedOff) {
      const operations = await load();
      seen = operations;
      for (const operation of operations) auditEffects(operation);
      auditOrder(operations);
      auditInterval(operations);
      auditStarts(operations, switchedOff);
      await auditMirrors();
      before = new Map(operations.map((one) => [one.op_id, one.state]));
    },
    async close() {
      const operations = await load();
      const open = operations.find((one) => !ENDED.has(one.state) && !HUMAN.has(one.state));
      if (open && !operations.some((one) => HUMAN.has(one.state))) {
        broken("S5", open, "neither final nor with a person when nothing more happens");
      }
      await auditHistory(operations);
    },
  };
}
