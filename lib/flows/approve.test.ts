import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { approvalStillHolds } from "@/lib/store/approvals";
import { asTenant } from "@/lib/store/db";
import { refusalOf } from "@/lib/testing/refusals";
import {
  aMember,
  anApiKey,
  aRead,
  aRequest,
  aTenant,
  type TestLedger,
  type TestRequest,
  type TestTenant,
  testLedger,
} from "@/lib/testing/tenants";
import { type ApprovalWish, approve } from "./approve";
import type { Actor } from "./context";
import { editProposal } from "./edit-proposal";
import { type ExtensionWish, proposeExtension } from "./propose-extension";

let ledger: TestLedger;
let tenant: TestTenant;
let proposer: Actor;
let approver: Actor;

beforeAll(async () => {
  ledger = await testLedger();
  tenant = await aTenant(ledger.owner);
  proposer = await aMember(ledger.owner, tenant.tenantId);
  approver = await aMember(ledger.owner, tenant.tenantId);
});
afterAll(() => ledger.close());

interface Proposal {
  readonly request: TestRequest;
  /** What the approver's page shows. */
  readonly shown: ApprovalWish;
}

async function aProposal(
  more: Partial<ExtensionWish> = {},
  by = proposer,
  at = tenant,
): Promise<Proposal> {
  const request = await aRequest(ledger.owner, at);
  return proposalOn(request, more, by);
}

async function proposalOn(
  request: TestRequest,
  more: Partial<ExtensionWish> = {},
  by = proposer,
): Promise<Proposal> {
  const { opId } = await proposeExtension(ledger.ctx, by, {
    approvalId: randomUUID(),
    requestRef: request.ref,
    date: "2027-06-30",
    time: "10:00",
    zone: "Europe/Berlin",
    reason: "Board meets late.",
    ...more,
  });
  const { version, payloadHash } = await operation(opId);
  return { request, shown: { opId, version, hash: payloadHash, receiptId: request.receiptId } };
}

function operation(opId: string) {
  return ledger.owner.operation.findFirstOrThrow({ where: { opId } });
}

function decide(shown: ApprovalWish, actor = approver) {
  return approve(ledger.ctx, actor, shown);
}

async function nothingApproved(opId: string): Promise<void> {
  expect(await ledger.owner.approval.count({ where: { opId } })).toBe(0);
  expect((await operation(opId)).state).toBe("proposed");
}

test("AP-1: an approval makes the very bytes on screen due now and gives the request its deadline, in one step", async () => {
  const { request, shown } = await aProposal();
  const before = await operation(shown.opId);
  const answer = await decide(shown);
  expect(answer).toMatchObject({
    opId: shown.opId,
    state: "scheduled",
    already: false,
    byYou: true,
  });
  const after = await operation(shown.opId);
  expect(after).toMatchObject({
    state: "scheduled",
    reason: "approved",
    canonicalText: before.canonicalText,
    payloadHash: shown.hash,
  });
  expect(after.approvedAt?.toISOString()).toBe(answer.approvedAt);
  expect(after.dueAt).toEqual(after.approvedAt);
  const row = await ledger.owner.request.findFirstOrThrow({ where: { ref: request.ref } });
  expect(row.businessDeadlineAt?.toISOString()).toBe("2027-06-30T08:00:00.000Z");
  expect(JSON.parse(row.businessDeadline ?? "")).toMatchObject({
    zone: "Europe/Berlin",
    time: "10:00",
  });
  const events = await ledger.owner.operationEvent.findMany({
    where: { opId: shown.opId },
    orderBy: { seq: "asc" },
  });
  expect(events.map(({ toState, actor }) => [toState, actor])).toEqual([
    ["proposed", `user:${proposer.id}`],
    ["scheduled", `user:${approver.id}`],
  ]);
});

test("AP-1 C-30: an edit between reading and clicking is refused with what differs, and no approval is recorded", async () => {
  const { shown } = await aProposal();
  await editProposal(ledger.ctx, proposer, {
    opId: shown.opId,
    version: 1,
    date: "2027-07-01",
    time: "10:00",
    zone: "Europe/Berlin",
    reason: "Board meets late.",
  });
  const refusal = await refusalOf(decide(shown));
  expect(refusal).toMatchObject({ code: "approval_stale", status: 409 });
  expect(refusal.extensions).toMatchObject({
    version_shown: 1,
    version: 2,
    same_content: false,
    differences: expect.arrayContaining([
      { path: "target.expires_at", before: "2027-06-30T08:00:00Z", after: "2027-07-01T08:00:00Z" },
    ]),
  });
  await nothingApproved(shown.opId);
});

test("AP-1 C-30: bytes that were edited back are another version and have to be looked at again", async () => {
  const { shown } = await aProposal();
  const edit = {
    opId: shown.opId,
    time: "10:00",
    zone: "Europe/Berlin",
    reason: "Board meets late.",
  };
  await editProposal(ledger.ctx, proposer, { ...edit, version: 1, date: "2027-07-01" });
  await editProposal(ledger.ctx, proposer, { ...edit, version: 2, date: "2027-06-30" });
  const now = await operation(shown.opId);
  expect(now).toMatchObject({ version: 3, payloadHash: shown.hash });
  const refusal = await refusalOf(decide(shown));
  expect(refusal).toMatchObject({
    code: "approval_stale",
    extensions: { same_content: true, version: 3 },
  });
  await nothingApproved(shown.opId);
  expect(await decide({ ...shown, version: 3 })).toMatchObject({ state: "scheduled" });
  const approval = await ledger.owner.approval.findFirstOrThrow({ where: { opId: shown.opId } });
  expect(approval.version).toBe(3);
});

test("AP-1: a hash that is not the stored one is refused although the version is", async () => {
  const { shown } = await aProposal();
  expect(await refusalOf(decide({ ...shown, hash: "f".repeat(64) }))).toMatchObject({
    code: "approval_stale",
  });
  await nothingApproved(shown.opId);
});

test("AP-1 C-30: a request that moved since the read on screen is refused with both states, then approved on a new read", async () => {
  const { request, shown } = await aProposal();
  const seen = { status: "viewed", expiresAt: "2027-06-15T15:00:00Z" };
  const receiptId = await aRead(ledger.owner, tenant.tenantId, request.ref, seen);
  for (const receipt of [shown.receiptId, null]) {
    const refusal = await refusalOf(decide({ ...shown, receiptId: receipt }));
    expect(refusal).toMatchObject({
      code: "request_state_changed",
      status: 409,
      message: "The request moved from sent to viewed. Read again before approving.",
    });
  }
  await nothingApproved(shown.opId);
  expect(await decide({ ...shown, receiptId })).toMatchObject({ state: "scheduled" });
});

test("AP-1 C-30: a request that ended, or whose expiry is not the approved basis, is refused even on a new read", async () => {
  for (const seen of [
    { status: "completed", expiresAt: "2027-06-15T15:00:00Z" },
    { status: "sent", expiresAt: "2027-06-20T15:00:00Z" },
  ]) {
    const { request, shown } = await aProposal();
    const receiptId = await aRead(ledger.owner, tenant.tenantId, request.ref, seen);
    expect(await refusalOf(decide({ ...shown, receiptId }))).toMatchObject({
      code: "request_state_changed",
    });
    await nothingApproved(shown.opId);
  }
});

test("AP-1: a receipt of another request is no read of this one", async () => {
  const { shown } = await aProposal();
  const other = await aRequest(ledger.owner, tenant);
  expect(await refusalOf(decide({ ...shown, receiptId: other.receiptId }))).toMatchObject({
    code: "not_found",
  });
  await nothingApproved(shown.opId);
});

test("AP-4 C-31 a d: clicks at the same moment and replays are one approval, one move and one history entry", async () => {
  const { shown } = await aProposal();
  const answers = await Promise.all(Array.from({ length: 10 }, () => decide(shown)));
  const replayed = await decide(shown);
  expect(answers.filter(({ already }) => !already)).toHaveLength(1);
  expect(new Set([...answers, replayed].map(({ approvedAt }) => approvedAt)).size).toBe(1);
  expect(replayed).toMatchObject({ already: true, byYou: true, state: "scheduled" });
  expect(await ledger.owner.approval.count({ where: { opId: shown.opId } })).toBe(1);
  expect(await ledger.owner.operationEvent.count({ where: { opId: shown.opId } })).toBe(2);
});

test("AP-4 C-31 b c e: after Back, in a second tab and after a lost answer the same approval is told, later state included", async () => {
  const { shown } = await aProposal();
  const first = await decide(shown);
  await ledger.owner.$executeRaw`
    UPDATE operations SET state = 'claimed', lease_owner = ${randomUUID()}::uuid,
      lease_until = ledger_now() + interval '1 minute', fence = fence + 1, event_actor = 'worker:test'
    WHERE op_id = ${shown.opId}::uuid`;
  expect(await decide(shown)).toEqual({ ...first, state: "claimed", already: true });
  const colleague = await aMember(ledger.owner, tenant.tenantId);
  const { approvedAt } = await operation(shown.opId);
  expect(first.approvedAt).toBe(approvedAt?.toISOString());
  expect(await decide(shown, colleague)).toEqual({
    ...first,
    state: "claimed",
    already: true,
    byYou: false,
  });
  expect(await ledger.owner.approval.count({ where: { opId: shown.opId } })).toBe(1);
});

test("AP-2: four eyes count people: proposer, last editor and the maker of the proposing key may not approve", async () => {
  const { shown } = await aProposal();
  expect(await refusalOf(decide(shown, proposer))).toMatchObject({
    code: "same_person",
    status: 403,
  });
  await editProposal(ledger.ctx, approver, {
    opId: shown.opId,
    version: 1,
    date: "2027-07-01",
    time: "10:00",
    zone: "Europe/Berlin",
    reason: "Board meets late.",
  });
  const { payloadHash } = await operation(shown.opId);
  const edited = { ...shown, version: 2, hash: payloadHash };
  for (const actor of [proposer, approver]) {
    expect(await refusalOf(decide(edited, actor))).toMatchObject({ code: "same_person" });
  }
  const key = await anApiKey(ledger.owner, approver);
  const byKey = await aProposal({}, key);
  expect(await refusalOf(decide(byKey.shown, approver))).toMatchObject({ code: "same_person" });
  await nothingApproved(byKey.shown.opId);
});

test("AP-2 API-2: a key never approves, and a role that the policy does not name may not either", async () => {
  const { shown } = await aProposal();
  const key = await anApiKey(ledger.owner, approver);
  const engineer = await aMember(ledger.owner, tenant.tenantId, "on_call");
  const officer = await aMember(ledger.owner, tenant.tenantId, "compliance");
  for (const actor of [key, engineer, officer]) {
    expect(await refusalOf(decide(shown, actor))).toMatchObject({ code: "not_permitted" });
  }
  await nothingApproved(shown.opId);
});

test("AP-2: with a quorum of two the first approval waits, the same person does not count twice, the second starts it", async () => {
  const strict = await aTenant(ledger.owner);
  await ledger.owner.policy.create({
    data: {
      tenantId: strict.tenantId,
      kind: "extend",
      version: 2,
      body: JSON.stringify({
        fourEyes: true,
        quorum: 2,
        validityHours: 48,
        approverRoles: ["account_manager", "on_call"],
        proposerRoles: ["account_manager"],
      }),
    },
  });
  const author = await aMember(ledger.owner, strict.tenantId);
  const one = await aMember(ledger.owner, strict.tenantId);
  const two = await aMember(ledger.owner, strict.tenantId, "on_call");
  const { shown } = await aProposal({}, author, strict);
  expect(await operation(shown.opId)).toMatchObject({ policyVersion: 2 });
  expect(await decide(shown, one)).toMatchObject({ state: "proposed", already: false });
  expect(await decide(shown, one)).toMatchObject({ state: "proposed", already: true, byYou: true });
  expect(await decide(shown, two)).toMatchObject({ state: "scheduled", already: false });
  const kinds = await ledger.owner.operationEvent.findMany({
    where: { opId: shown.opId },
    orderBy: { seq: "asc" },
    select: { kind: true },
  });
  expect(kinds.map(({ kind }) => kind)).toEqual(["proposed", "approved_one", "transition"]);
});

test("AP-2: an approval of an earlier version does not count towards the quorum of a later one", async () => {
  const strict = await aTenant(ledger.owner);
  const policy = {
    fourEyes: true,
    quorum: 2,
    validityHours: 24,
    approverRoles: ["account_manager"],
    proposerRoles: ["account_manager"],
  };
  await ledger.owner.policy.create({
    data: { tenantId: strict.tenantId, kind: "extend", version: 1, body: JSON.stringify(policy) },
  });
  const [author, one, two] = await Promise.all(
    [1, 2, 3].map(() => aMember(ledger.owner, strict.tenantId)),
  );
  if (!author || !one || !two) throw new Error("three members");
  const { shown } = await aProposal({}, author, strict);
  await decide(shown, one);
  await editProposal(ledger.ctx, author, {
    opId: shown.opId,
    version: 1,
    date: "2027-07-01",
    time: "10:00",
    zone: "Europe/Berlin",
    reason: "Board meets late.",
  });
  const { payloadHash } = await operation(shown.opId);
  const edited = { ...shown, version: 2, hash: payloadHash };
  expect(await decide(edited, two)).toMatchObject({ state: "proposed" });
  expect(await decide(edited, one)).toMatchObject({ state: "scheduled" });
});

test("AP-3 C-36: an approval stops holding when its person is removed, demoted or disabled, or takes it back", async () => {
  const changes: ((accountId: string) => Promise<unknown>)[] = [
    (accountId) =>
      ledger.owner.membership.updateMany({ where: { accountId }, data: { removedAt: new Date() } }),
    (accountId) =>
      ledger.owner.membership.updateMany({ where: { accountId }, data: { role: "admin" } }),
    (id) => ledger.owner.account.updateMany({ where: { id }, data: { disabledAt: new Date() } }),
    (accountId) =>
      ledger.owner.approval.updateMany({ where: { accountId }, data: { revokedAt: new Date() } }),
  ];
  for (const change of changes) {
    const colleague = await aMember(ledger.owner, tenant.tenantId);
    const { shown } = await aProposal();
    await decide(shown, colleague);
    const holds = () =>
      asTenant(ledger.ctx.db, tenant.tenantId, (tx) =>
        approvalStillHolds(tx, tenant.tenantId, shown.opId),
      );
    expect(await holds()).toBe(true);
    await change(colleague.id);
    expect(await holds()).toBe(false);
  }
});

test("AP-2: a proposal whose time is over is not approved", async () => {
  const { shown } = await aProposal();
  await ledger.owner.operation.updateMany({
    where: { opId: shown.opId },
    data: { approvalExpiresAt: new Date(Date.now() - 1000) },
  });
  expect(await refusalOf(decide(shown))).toMatchObject({ code: "approval_expired", status: 409 });
  await nothingApproved(shown.opId);
});

test("PV-2: what belongs to another tenant is not found, like what does not exist", async () => {
  const other = await aTenant(ledger.owner);
  const stranger = await aMember(ledger.owner, other.tenantId);
  const { shown } = await aProposal();
  const foreign = await refusalOf(decide(shown, stranger));
  const missing = await refusalOf(decide({ ...shown, opId: randomUUID() }, stranger));
  expect([foreign.code, foreign.message]).toEqual([missing.code, missing.message]);
  expect(foreign.code).toBe("not_found");
  await nothingApproved(shown.opId);
});

/** Walks an approved operation on by the moves that a worker makes. */
async function workerMoves(opId: string, states: readonly string[]): Promise<void> {
  for (const state of states) {
    const held = ["claimed", "submitting", "reconciling"].includes(state);
    const person = ["quarantined", "needs_review"].includes(state);
    await ledger.owner.$executeRaw`
      UPDATE operations SET state = ${state}, reason = 'test', event_actor = 'worker:test',
        lease_owner = CASE WHEN ${held} THEN '00000000-0000-4000-8000-000000000001'::uuid END,
        lease_until = CASE WHEN ${held} THEN ledger_now() + interval '1 minute' END,
        attempts = attempts + CASE WHEN ${state} = 'submitting' THEN 1 ELSE 0 END,
        first_intent_at = coalesce(first_intent_at, ledger_now()),
        next_look_at = CASE WHEN ${state} = 'needs_reconcile' THEN ledger_now() + interval '1 hour' END,
        owner = CASE WHEN ${person} THEN 'team:on-call' ELSE owner END
      WHERE op_id = ${opId}::uuid`;
  }
}

test("ID-7: an earlier operation that never reached the platform ends superseded with the approval of the later one", async () => {
  const walks: (readonly string[] | null)[] = [
    null,
    [],
    ["claimed", "quarantined"],
    ["needs_review"],
  ];
  for (const walk of walks) {
    const earlier = await aProposal();
    if (walk) {
      await decide(earlier.shown);
      await workerMoves(earlier.shown.opId, walk);
    }
    const later = await proposalOn(earlier.request, {
      date: "2027-07-02",
      supersedesOpId: earlier.shown.opId,
    });
    expect((await operation(earlier.shown.opId)).state).not.toBe("superseded");
    await decide(later.shown);
    expect(await operation(earlier.shown.opId)).toMatchObject({
      state: "superseded",
      reason: "superseded",
      successorOpId: later.shown.opId,
    });
    expect((await operation(later.shown.opId)).state).toBe("scheduled");
  }
});

test("ID-7: an earlier operation that may have reached the platform keeps its state and gets its successor recorded", async () => {
  const walks = [
    ["claimed"],
    ["claimed", "submitting"],
    ["claimed", "submitting", "needs_reconcile"],
    ["claimed", "submitting", "needs_review"],
    ["claimed", "submitting", "done"],
  ];
  for (const walk of walks) {
    const earlier = await aProposal();
    await decide(earlier.shown);
    await workerMoves(earlier.shown.opId, walk);
    const later = await proposalOn(earlier.request, {
      date: "2027-07-02",
      supersedesOpId: earlier.shown.opId,
    });
    await decide(later.shown);
    expect(await operation(earlier.shown.opId)).toMatchObject({
      state: walk.at(-1),
      successorOpId: later.shown.opId,
    });
    const last = await ledger.owner.operationEvent.findFirstOrThrow({
      where: { opId: earlier.shown.opId },
      orderBy: { seq: "desc" },
    });
    expect(last).toMatchObject({ kind: "successor_recorded", actor: `user:${approver.id}` });
  }
});

test("C-09: approvals that replace each other's operations at the same moment end without a deadlock", async () => {
  const first = await aProposal();
  const second = await proposalOn(first.request, {
    date: "2027-07-02",
    supersedesOpId: first.shown.opId,
  });
  const third = await proposalOn(first.request, {
    date: "2027-07-03",
    supersedesOpId: second.shown.opId,
  });
  const outcomes = await Promise.allSettled(
    [first, second, third].map(({ shown }) => decide(shown)),
  );
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") {
      expect(outcome.reason).toMatchObject({ code: "operation_moved_on" });
    }
  }
  const states = await Promise.all(
    [second, third].map(async ({ shown }) => (await operation(shown.opId)).state),
  );
  expect(states).toEqual(["superseded", "scheduled"]);
});

test("TM-3: an approved extension ends the timers that a policy planned from the old deadline", async () => {
  const { request, shown } = await aProposal();
  const timer = randomUUID();
  await ledger.owner.$executeRaw`
    INSERT INTO operations (tenant_id, op_id, op_key, kind, request_ref, connection_id, state, reason,
      canonical_text, payload_hash, approval_id, proposed_by, approved_at, due_at, priority, event_actor)
    VALUES (${tenant.tenantId}::uuid, ${timer}::uuid, ${`${request.ref}/expire/plan/1`}, 'expire', ${request.ref},
      ${tenant.connectionId}::uuid, 'scheduled', 'approved_by_policy', '{}', ${"0".repeat(64)}, ${timer}::uuid,
      'policy:expire-v1', ledger_now(), ledger_now() + interval '1 day', 0, 'policy:expire-v1')`;
  await decide(shown);
  expect(await operation(timer)).toMatchObject({ state: "superseded", successorOpId: shown.opId });
});
