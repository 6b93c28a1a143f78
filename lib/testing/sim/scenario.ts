import { randomUUID } from "node:crypto";
import type { CapabilityDescriptor } from "@/lib/domain/capability";
import { instantOf } from "@/lib/domain/zone";
import { approve } from "@/lib/flows/approve";
import type { Actor, ConsoleContext } from "@/lib/flows/context";
import { proposeExpiry } from "@/lib/flows/propose-expire";
import { proposeExtension } from "@/lib/flows/propose-extension";
import { proposeReminder } from "@/lib/flows/propose-remind";
import { proposeResend } from "@/lib/flows/propose-resend";
import { proposeSend } from "@/lib/flows/propose-send";
import { proposeVoid } from "@/lib/flows/propose-void";
import { descriptorOf } from "@/lib/providers/sandbox/descriptor";
import { SANDBOX_PROFILES } from "@/lib/providers/sandbox/profiles";
import { asTenant, type Database, ledgerNow } from "@/lib/store/db";
import { mirrorRead } from "@/lib/store/mirror";
import { storeReceipt } from "@/lib/store/receipts";
import { storeContact } from "@/lib/store/vault";
import { aMember, aTenant, letters, type TestTenant } from "@/lib/testing/tenants";
import { setPolicy } from "@/lib/testing/timers";
import type { OpeningName } from "./openings";
import { type Manners, SIGNER } from "./platform";
import { TIMES, type World } from "./world";

/**
 * What may be asked for in a run. `extend_replaced`: the second extension replaces the first one (ID-7);
 * `extend_void`: a void while an extension is under way; `timers`: an extension that brings reminders and an
 * automatic expiry, and a second one that brings others.
 */
export const SCENARIO_KINDS = [
  "send",
  "extend",
  "extend_twice",
  "extend_replaced",
  "expire",
  "void",
  "extend_void",
  "remind_twice",
  "resend",
  "timers",
] as const;

/** What a run is about: drawn at random. */
export interface Scenario {
  readonly kind: (typeof SCENARIO_KINDS)[number];
  readonly lookup: "authoritative" | "eventual";
  readonly rateLimit: "guaranteed" | "unstated";
  readonly conditional: "none" | "version";
  /** Whether reads show reminders and deliveries. */
  readonly traces: boolean;
  /** Whether an expired request can be extended and lives again. */
  readonly revivable: boolean;
  /** Whether the signer and somebody else may act at the platform. */
  readonly outsiders: boolean;
  /** How the run begins; null: at random from the start. */
  readonly opening: OpeningName | null;
}

export function descriptorFor(scenario: Scenario): CapabilityDescriptor {
  const { pauseMs, processingMs, visibilityMs } = TIMES;
  const times = { pauseMs, processingMs, visibilityMs };
  const day = 86_400_000;
  return {
    ...descriptorOf(SANDBOX_PROFILES.exact),
    lookupByReference:
      scenario.lookup === "authoritative"
        ? { kind: "authoritative", retentionMs: 7 * day }
        : { kind: "eventual", windowMs: visibilityMs, retentionMs: 7 * day },
    conditionalUpdate: scenario.conditional,
    reminderTimestamp: scenario.traces,
    deliveryRecord: scenario.traces,
    expiryForm:
      scenario.kind === "timers"
        ? { kind: "relative_days", from: "send" }
        : { kind: "absolute", granularityMs: 1 },
    terminal: {
      completed: "final",
      declined: "final",
      expired: scenario.revivable ? "revivable" : "final",
      voided: "final",
    },
    rateLimitMeansNotProcessed: scenario.rateLimit,
    times: { send: times, extend: times, other: times },
  };
}

/** What goes with the descriptor. Half a day more than asked for leaves room for our own expiry at the deadline. */
export function mannersFor({ revivable, traces, kind }: Scenario): Manners {
  return { revivable, traces, laterByMs: kind === "timers" ? 12 * 3_600_000 : 0 };
}

/** The least time between two contacts with a signer, in every run (RM-2). */
export const MIN_INTERVAL_HOURS = 1;

export interface Stage extends TestTenant {
  readonly proposer: Actor;
  readonly approver: Actor;
  /** The request that extensions are about; null for a send. */
  readonly request: { readonly ref: string; readonly platformRef: string } | null;
}

/** A tenant of its own whose connection has the scenario's descriptor and the run's times. */
export async function setStage(
  owner: Database,
  world: World,
  scenario: Scenario,
  vaultKey: Buffer,
): Promise<Stage> {
  const tenant = await aTenant(owner);
  const { tenantId, connectionId } = tenant;
  await owner.connection.update({
    where: { tenantId_id: { tenantId, id: connectionId } },
    data: {
      descriptor: JSON.stringify(world.descriptor),
      leaseMs: TIMES.leaseMs,
      callTimeoutMs: TIMES.timeoutMs,
    },
  });
  const proposer = await aMember(owner, tenantId);
  const approver = await aMember(owner, tenantId);
  await setPolicy({ ledger: { owner } }, tenant, "remind", {
    minIntervalHours: MIN_INTERVAL_HOURS,
    everyDays: scenario.kind === "timers" ? 1 : null,
  });
  await setPolicy({ ledger: { owner } }, tenant, "expire", {
    automatic: scenario.kind === "timers",
  });
  const request =
    scenario.kind === "send" ? null : await placeRequest(owner, world, tenant, vaultKey);
  return { ...tenant, proposer, approver, request };
}

async function placeRequest(
  owner: Database,
  world: World,
  { tenantId, connectionId }: TestTenant,
  vaultKey: Buffer,
): Promise<NonNullable<Stage["request"]>> {
  const opId = randomUUID();
  const outcome = world.platform.apply(
    { kind: "send", opId, expiresAt: daysFrom(world, 3) },
    world.nowMs(),
  );
  if (outcome.kind !== "accepted" || !outcome.platformRef) throw new Error("not sent");
  const { platformRef } = outcome;
  const ref = `req_${letters()}`;
  await owner.request.create({
    data: { tenantId, ref, connectionId, platformRef, zone: "Europe/Berlin" },
  });
  const contact = { name: "Pat", email: "pat@sign.invalid" };
  await asTenant(owner, tenantId, async (tx) => {
    const { digest } = await storeContact(tx, { tenantId, vaultKey }, SIGNER, contact);
    await tx.requestSigner.create({
      data: {
        tenantId,
        requestRef: ref,
        subjectRef: SIGNER,
        role: "signer",
        signingOrder: 1,
        contactDigest: digest,
      },
    });
  });
  const request = world.platform.read(platformRef, world.nowMs());
  if (!request) throw new Error("the platform does not show the request");
  await asTenant(owner, tenantId, async (tx) => {
    const startedAt = await ledgerNow(tx);
    const observation = { kind: "read", matches: [request] } as const;
    const receiptId = await storeReceipt(tx, tenantId, {
      requestRef: ref,
      connectionId,
      opId: null,
      fence: null,
      purpose: "page",
      observation,
      startedAt,
    });
    await mirrorRead(tx, tenantId, ref, { request, receiptId, startedAt, isFinal: false });
  });
  return { ref, platformRef };
}

/** A full hour about so many days from the run's time. */
export function daysFrom(world: World, days: number): string {
  const at = world.nowMs() + days * 86_400_000;
  return instantOf(at - (at % 3_600_000));
}

function wish(instant: string): { date: string; time: string; zone: string } {
  return { date: instant.slice(0, 10), time: instant.slice(11, 16), zone: "UTC" };
}

/** What a run asks for. */
export type Wanted =
  | { readonly kind: "send" }
  | { readonly kind: "extend"; readonly days: number; readonly supersedesOpId?: string }
  | { readonly kind: "expire" | "void" | "remind" | "resend" };

/** Proposes and approves one operation. Throws Refusal when the present facts do not allow it, which is an answer. */
export async function approveOne(
  ctx: ConsoleContext,
  owner: Database,
  stage: Stage,
  world: World,
  wanted: Wanted,
): Promise<string> {
  const { tenantId, approver, request } = stage;
  const { opId } = await propose(ctx, stage, world, wanted);
  const { version, payloadHash } = await owner.operation.findUniqueOrThrow({
    where: { tenantId_opId: { tenantId, opId } },
  });
  const receiptId = request ? await shownReceipt(owner, tenantId, request.ref) : null;
  await approve(ctx, approver, { opId, version, hash: payloadHash, receiptId });
  return opId;
}

function propose(
  ctx: ConsoleContext,
  { proposer, connectionId, request }: Stage,
  world: World,
  wanted: Wanted,
): Promise<{ readonly opId: string }> {
  const aSend = () =>
    proposeSend(ctx, proposer, {
      approvalId: randomUUID(),
      requestRef: `req_${letters()}`,
      connectionId,
      documents: [{ digest: "d".repeat(64), version: 1 }],
      signers: [{ name: "Pat", email: "pat@sign.invalid", role: "signer", order: 1 }],
      title: "A contract",
      ...wish(daysFrom(world, 10)),
      reminders: { owner: "application", intervalDays: null },
    });
  const change = {
    approvalId: randomUUID(),
    requestRef: request?.ref ?? "",
    reason: "The counterparty asked for it.",
    goOnReason: "This one is wanted beside the other one.",
  };
  switch (wanted.kind) {
    case "send":
      return aSend();
    case "extend":
      return proposeExtension(ctx, proposer, {
        ...change,
        ...wish(daysFrom(world, wanted.days)),
        supersedesOpId: wanted.supersedesOpId ?? null,
      });
    case "expire":
      return proposeExpiry(ctx, proposer, { ...change, when: "now" });
    case "void":
      return proposeVoid(ctx, proposer, change);
    case "remind":
      return proposeReminder(ctx, proposer, change);
    case "resend":
      return proposeResend(ctx, proposer, change);
  }
}

async function shownReceipt(
  owner: Database,
  tenantId: string,
  ref: string,
): Promise<string | null> {
  const row = await owner.request.findUnique({ where: { tenantId_ref: { tenantId, ref } } });
  return row?.mirrorReceiptId ?? null;
}
