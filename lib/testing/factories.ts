import { randomUUID } from "node:crypto";
import { canonicalText, sha256Hex } from "@/lib/domain/canonical";
import { type OperationKind, type OperationState, PRIORITY } from "@/lib/domain/operation";
import { type ExtendPayload, writePayload } from "@/lib/domain/payload";
import { localOf, offsetAt, offsetText, ZONE_DATA_VERSION } from "@/lib/domain/zone";
import { descriptorOf } from "@/lib/providers/sandbox/descriptor";
import { sandboxProfile } from "@/lib/providers/sandbox/profiles";
import type { Database, Tx } from "@/lib/store/db";
import type { Prisma } from "@/lib/store/prisma/client";
import { letEveryKindRun } from "./modes";

/**
 * Rows for tests and development, made through the same triggers as in production: an operation gets into its
 * state by legal moves only, each with its history entry. They need a connection as the schema's owner.
 */
export interface TestTenant {
  readonly id: string;
  readonly slug: string;
  readonly connectionId: string;
  readonly connectionName: string;
  /** Two account managers: the first proposes, the second approves. */
  readonly proposerId: string;
  readonly approverId: string;
}

export interface TestRequest {
  readonly ref: string;
  readonly platformRef: string;
  readonly expiresAt: string;
}

/** A tenant with a sandbox connection and two account managers. `slug` and names are unique per call. */
export async function aTenant(db: Database, slug = `t-${short()}`): Promise<TestTenant> {
  const id = randomUUID();
  await db.tenant.create({ data: { id, slug, name: slug } });
  await letEveryKindRun(db, id);
  const proposerId = await anAccount(db, id, "account_manager");
  const approverId = await anAccount(db, id, "account_manager");
  const connection = await aConnection(db, id);
  return {
    id,
    slug,
    connectionId: connection.id,
    connectionName: connection.name,
    proposerId,
    approverId,
  };
}

/** An account with one membership; the login is `<role>-<random>`. */
export async function anAccount(db: Database, tenantId: string, role: string): Promise<string> {
  const id = randomUUID();
  const login = `${role.replaceAll("_", "-")}-${short()}`;
  await db.account.create({ data: { id, login } });
  await db.membership.create({ data: { tenantId, accountId: id, role } });
  return id;
}

export async function aConnection(
  db: Database,
  tenantId: string,
  name = `sbx-${short()}`,
  profile = sandboxProfile("exact"),
): Promise<{ id: string; name: string }> {
  const id = randomUUID();
  await db.connection.create({
    data: {
      tenantId,
      id,
      name,
      adapter: "sandbox",
      baseUrl: "http://127.0.0.1:1",
      environment: "sandbox",
      apiKeySealed: "sealed",
      webhookSecretsSealed: "sealed",
      descriptor: JSON.stringify(descriptorOf(profile)),
      owner: "team:admins",
    },
  });
  return { id, name };
}

/** A request that the platform shows as opened and that ends in fifteen days. */
export async function aRequest(
  db: Database,
  tenant: TestTenant,
  ref = `req_${short()}`,
  mirror: Partial<Prisma.RequestUncheckedCreateInput> = {},
): Promise<TestRequest> {
  const expires = new Date(Math.ceil(Date.now() / HOUR) * HOUR + 15 * 24 * HOUR);
  const platformRef = `env_${short()}`;
  await db.request.create({
    data: {
      tenantId: tenant.id,
      ref,
      connectionId: tenant.connectionId,
      platformRef,
      zone: "Europe/Berlin",
      businessDeadlineAt: expires,
      mirrorStatus: "viewed",
      mirrorRawStatus: "viewed",
      mirrorExpiresAt: expires,
      mirrorVersion: "7",
      mirrorSigned: 1,
      mirrorSigners: 2,
      mirrorReadAt: new Date(),
      ...mirror,
    },
  });
  return { ref, platformRef, expiresAt: expires.toISOString() };
}

export interface OperationOptions {
  readonly kind?: OperationKind;
  readonly reason?: string;
  readonly owner?: string;
  /** Canonical text of the payload; an extension by three days when left out. */
  readonly payload?: string;
  /** How long ago the last move happened; the walk before it took ten seconds. */
  readonly ageMs?: number;
  readonly columns?: Partial<Prisma.OperationUncheckedCreateInput>;
}

const HOUR = 3_600_000;

/** The moves that lead to each state, in order; the first entry is the state of the insert. */
const WALK: Record<OperationState, readonly OperationState[]> = {
  proposed: ["proposed"],
  scheduled: ["proposed", "scheduled"],
  claimed: ["proposed", "scheduled", "claimed"],
  submitting: ["proposed", "scheduled", "claimed", "submitting"],
  needs_reconcile: ["proposed", "scheduled", "claimed", "submitting", "needs_reconcile"],
  reconciling: ["proposed", "scheduled", "claimed", "submitting", "needs_reconcile", "reconciling"],
  quarantined: ["proposed", "scheduled", "claimed", "quarantined"],
  needs_review: [
    "proposed",
    "scheduled",
    "claimed",
    "submitting",
    "needs_reconcile",
    "reconciling",
    "needs_review",
  ],
  done: ["proposed", "scheduled", "claimed", "submitting", "done"],
  obsolete: ["proposed", "obsolete"],
  superseded: ["proposed", "scheduled", "superseded"],
  failed_terminal: ["proposed", "scheduled", "claimed", "submitting", "failed_terminal"],
};

const REASON: Record<OperationState, string> = {
  proposed: "awaiting_approval",
  scheduled: "approved",
  claimed: "picked_up",
  submitting: "intent_stored",
  needs_reconcile: "call_timed_out",
  reconciling: "look_started",
  quarantined: "expiry_changed_since_approval",
  needs_review: "reconcile_bound_reached",
  done: "effect_confirmed",
  obsolete: "withdrawn",
  superseded: "superseded",
  failed_terminal: "rejected_payload",
};

/** An operation in that state with the history, attempts, approval and receipts that such a state has. */
export async function operationIn(
  db: Database,
  tenant: TestTenant,
  request: TestRequest,
  state: OperationState,
  options: OperationOptions = {},
): Promise<string> {
  const opId = randomUUID();
  const walk = WALK[state];
  await db.$transaction(
    async (tx) => {
      for (const [place, to] of walk.entries()) {
        const agoMs = (options.ageMs ?? 0) + (walk.length - 1 - place) * 2_000;
        await tx.$executeRaw`SELECT set_config('deadline.clock_offset', ${`-${agoMs} ms`}, true)`;
        const at = new Date(Date.now() - agoMs);
        const step: Step = { tx, tenant, request, opId, options, to, at, last: to === state };
        await (place === 0 ? insert(step) : move(step));
      }
    },
    { timeout: 30_000 },
  );
  return opId;
}

interface Step {
  readonly tx: Tx;
  readonly tenant: TestTenant;
  readonly request: TestRequest;
  readonly opId: string;
  readonly options: OperationOptions;
  readonly to: OperationState;
  readonly at: Date;
  readonly last: boolean;
}

async function insert({ tx, tenant, request, opId, options, to, at }: Step): Promise<void> {
  const kind = options.kind ?? "extend";
  const approvalId = randomUUID();
  const text = options.payload ?? anExtension(tenant, request);
  const proposedBy = `user:${tenant.proposerId}`;
  await tx.operation.create({
    data: {
      tenantId: tenant.id,
      opId,
      opKey: `${request.ref}/${kind}/${approvalId}`,
      kind,
      requestRef: request.ref,
      connectionId: tenant.connectionId,
      state: to,
      reason: to === "proposed" ? (options.reason ?? REASON[to]) : REASON[to],
      canonicalText: text,
      payloadHash: sha256Hex(text),
      approvalId,
      proposedBy,
      approvalExpiresAt: new Date(at.getTime() + 24 * HOUR),
      dueAt: at,
      priority: PRIORITY[kind],
      eventActor: proposedBy,
      eventEvidence: "{}",
      ...options.columns,
    },
    select: { opId: true },
  });
}

async function move(step: Step): Promise<void> {
  const { tx, tenant, opId, options, to, at, last } = step;
  if (to === "scheduled") await approve(step);
  const receiptId = await readFor(step);
  const evidence = receiptId === null ? {} : { receipts: [receiptId] };
  await tx.operation.update({
    where: { tenantId_opId: { tenantId: tenant.id, opId } },
    data: {
      state: to,
      reason: last ? (options.reason ?? REASON[to]) : REASON[to],
      ...columnsOf(to, at, options.owner),
      eventActor: actorOf(to, tenant),
      eventEvidence: JSON.stringify(evidence),
    },
    select: { opId: true },
  });
  if (to === "submitting") await startAttempt(step);
  if (to === "needs_reconcile" || to === "done" || to === "failed_terminal") await report(step);
}

const WORKER = { id: randomUUID(), name: "w2" };

function actorOf(to: OperationState, tenant: TestTenant): string {
  if (to === "scheduled") return `user:${tenant.approverId}`;
  if (to === "obsolete") return `user:${tenant.proposerId}`;
  return `worker:${WORKER.name}`;
}

function columnsOf(to: OperationState, at: Date, owner = "team:on-call") {
  const lease = { leaseOwner: WORKER.id, leaseUntil: new Date(at.getTime() + 30_000) };
  const free = { leaseOwner: null, leaseUntil: null };
  switch (to) {
    case "scheduled":
      return { ...free, approvedAt: at };
    case "claimed":
      return { ...lease, fence: { increment: 1 } };
    case "submitting":
      return { ...lease, attempts: { increment: 1 }, firstIntentAt: at };
    case "needs_reconcile":
      return { ...free, unknownSince: at, nextLookAt: new Date(at.getTime() + 180_000) };
    case "reconciling":
      return { ...lease, fence: { increment: 1 }, looks: { increment: 1 } };
    case "quarantined":
    case "needs_review":
      return { ...free, owner };
    case "proposed":
    case "done":
    case "obsolete":
    case "superseded":
    case "failed_terminal":
      return { ...free, nextLookAt: null };
  }
}

async function approve({ tx, tenant, opId, at }: Step): Promise<void> {
  const { version, payloadHash } = await tx.operation.findUniqueOrThrow({
    where: { tenantId_opId: { tenantId: tenant.id, opId } },
    select: { version: true, payloadHash: true },
  });
  await tx.approval.create({
    data: {
      tenantId: tenant.id,
      opId,
      accountId: tenant.approverId,
      decision: "approve",
      version,
      payloadHash,
      at,
    },
  });
}

/** The read that goes with a move: before the call, after it, or a look of the reconciler. */
async function readFor(step: Step): Promise<string | null> {
  const purpose = purposeOf(step.to);
  if (purpose === null) return null;
  const { tx, tenant, request, opId, at } = step;
  const expiresAt = step.to === "done" ? extended(request.expiresAt) : request.expiresAt;
  const status = "viewed";
  const body = canonicalText({ expires_at: expiresAt, purpose, status, version: "7" });
  const id = randomUUID();
  await tx.readReceipt.create({
    data: {
      tenantId: tenant.id,
      id,
      requestRef: request.ref,
      opId,
      purpose,
      outcome: "read",
      startedAt: new Date(at.getTime() - 400),
      finishedAt: new Date(at.getTime() - 100),
      platformRef: request.platformRef,
      status,
      expiresAt: new Date(expiresAt),
      version: "7",
      matches: 1,
      body,
      hash: sha256Hex(body),
    },
  });
  return id;
}

function purposeOf(to: OperationState): "before" | "after" | "look" | null {
  if (to === "submitting" || to === "quarantined") return "before";
  if (to === "done") return "after";
  return to === "needs_review" ? "look" : null;
}

async function startAttempt({ tx, tenant, opId, at }: Step): Promise<void> {
  const leaseUntil = new Date(at.getTime() + 30_000);
  const attempt = { tenantId: tenant.id, opId, fence: 1, workerId: WORKER.id };
  await tx.attempt.create({ data: { ...attempt, intentAt: at, leaseUntil } });
}

async function report({ tx, tenant, opId, to, at }: Step): Promise<void> {
  const outcome =
    to === "done" ? "accepted" : to === "failed_terminal" ? "rejected_payload" : "unknown";
  await tx.attempt.updateMany({
    where: { tenantId: tenant.id, opId, reportedAt: null },
    data: { reportedAt: at, outcome },
  });
}

function extended(expiresAt: string): string {
  return new Date(Date.parse(expiresAt) + 3 * 24 * HOUR).toISOString();
}

/** Canonical text of the payload that asks for three days more. */
export function anExtension(tenant: TestTenant, request: TestRequest): string {
  const instant = extended(request.expiresAt);
  const zone = "Europe/Berlin";
  const payload: ExtendPayload = {
    schema: 1,
    kind: "extend",
    request_ref: request.ref,
    connection_id: tenant.connectionId,
    platform_ref: request.platformRef,
    target: {
      expires_at: instant,
      business_deadline: {
        ...localOf(zone, instant),
        zone,
        choice: "only",
        instant,
        offset: offsetText(offsetAt(zone, instant)),
        zoneData: ZONE_DATA_VERSION,
      },
    },
    expected: { status: "viewed", expires_at: request.expiresAt, version: "7", signers: [] },
    reason_digest: sha256Hex("reason"),
    reminders: "unchanged",
    supersedes_op_id: null,
    signature_policy: null,
  };
  return writePayload(payload).text;
}

/**
 * Many finished operations at once, for plans and speed: `count` rows that went proposed -> obsolete, spread over
 * the last year, on one request.
 */
export async function manyFinished(
  db: Database,
  tenant: TestTenant,
  request: TestRequest,
  count: number,
): Promise<void> {
  const text = anExtension(tenant, request);
  const actor = `user:${tenant.proposerId}`;
  await db.$transaction(
    async (tx) => {
      await tx.$executeRaw`
        INSERT INTO operations (tenant_id, op_id, op_key, kind, request_ref, connection_id, state, reason,
          canonical_text, payload_hash, approval_id, proposed_by, due_at, priority, event_actor, event_evidence)
        SELECT ${tenant.id}::uuid, gen_random_uuid(), 'bulk/' || gen_random_uuid(), 'extend', ${request.ref},
          ${tenant.connectionId}::uuid, 'proposed', 'awaiting_approval', ${text}, ${sha256Hex(text)},
          gen_random_uuid(), ${actor}, ledger_now(), 1, ${actor}, '{}'
        FROM generate_series(1, ${count}::int)`;
      await tx.$executeRaw`
        UPDATE operations SET state = 'obsolete', reason = 'withdrawn', event_actor = ${actor}, event_evidence = '{}'
        WHERE tenant_id = ${tenant.id}::uuid AND state = 'proposed' AND op_key LIKE 'bulk/%'`;
    },
    { timeout: 120_000 },
  );
}

function short(): string {
  return randomUUID().slice(0, 8);
}
