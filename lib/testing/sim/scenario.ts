import { randomUUID } from "node:crypto";
import type { CapabilityDescriptor } from "@/lib/domain/capability";
import { instantOf } from "@/lib/domain/zone";
import { approve } from "@/lib/flows/approve";
import type { Actor, ConsoleContext } from "@/lib/flows/context";
import { proposeExtension } from "@/lib/flows/propose-extension";
import { proposeSend } from "@/lib/flows/propose-send";
import { descriptorOf } from "@/lib/providers/sandbox/descriptor";
import { SANDBOX_PROFILES } from "@/lib/providers/sandbox/profiles";
import { asTenant, type Database, ledgerNow } from "@/lib/store/db";
import { mirrorRead } from "@/lib/store/mirror";
import { storeReceipt } from "@/lib/store/receipts";
import { aMember, aTenant, letters, type TestTenant } from "@/lib/testing/tenants";
import type { OpeningName } from "./openings";
import { TIMES, type World } from "./world";

/** What a run is about: drawn at random. */
export interface Scenario {
  readonly kind: "send" | "extend" | "extend_twice";
  readonly lookup: "authoritative" | "eventual";
  readonly rateLimit: "guaranteed" | "unstated";
  readonly conditional: "none" | "version";
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
    rateLimitMeansNotProcessed: scenario.rateLimit,
    times: { send: times, extend: times, other: times },
  };
}

export interface Stage extends TestTenant {
  readonly proposer: Actor;
  readonly approver: Actor;
  /** The request that extensions are about; null for a send. */
  readonly request: { readonly ref: string; readonly platformRef: string } | null;
}

/** A tenant of its own whose connection has the scenario's descriptor and the run's times. */
export async function setStage(owner: Database, world: World, scenario: Scenario): Promise<Stage> {
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
  const request = scenario.kind === "send" ? null : await placeRequest(owner, world, tenant);
  return { ...tenant, proposer, approver, request };
}

async function placeRequest(
  owner: Database,
  world: World,
  { tenantId, connectionId }: TestTenant,
): Promise<NonNullable<Stage["request"]>> {
  const opId = randomUUID();
  const outcome = world.platform.apply(
    { kind: "send", opId, expiresAt: daysFrom(world, 3) },
    world.nowMs(),
  );
  if (outcome.kind !== "accepted" || !outcome.platformRef) throw new Error("not sent");
  const { platformRef } = outcome;
  const ref = `req_${letters()}`;
  await owner.request.create({ data: { tenantId, ref, connectionId, platformRef } });
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

/** Proposes and approves one operation; null when the present facts no longer allow it, which is an answer. */
export async function approveOne(
  ctx: ConsoleContext,
  owner: Database,
  stage: Stage,
  target: string,
): Promise<string | null> {
  const { tenantId, proposer, approver, connectionId, request } = stage;
  const { opId } = request
    ? await proposeExtension(ctx, proposer, {
        approvalId: randomUUID(),
        requestRef: request.ref,
        ...wish(target),
        reason: "The counterparty needs more time.",
      })
    : await proposeSend(ctx, proposer, {
        approvalId: randomUUID(),
        requestRef: `req_${letters()}`,
        connectionId,
        documents: [{ digest: "d".repeat(64), version: 1 }],
        signers: [{ name: "Pat", email: "pat@sign.invalid", role: "signer", order: 1 }],
        title: "A contract",
        ...wish(target),
        reminders: { owner: "application", intervalDays: null },
      });
  const { version, payloadHash } = await owner.operation.findUniqueOrThrow({
    where: { tenantId_opId: { tenantId, opId } },
  });
  const receiptId = request ? await shownReceipt(owner, tenantId, request.ref) : null;
  await approve(ctx, approver, { opId, version, hash: payloadHash, receiptId });
  return opId;
}

async function shownReceipt(
  owner: Database,
  tenantId: string,
  ref: string,
): Promise<string | null> {
  const row = await owner.request.findUnique({ where: { tenantId_ref: { tenantId, ref } } });
  return row?.mirrorReceiptId ?? null;
}
