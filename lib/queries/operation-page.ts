import { DEFAULT_BOUNDS } from "@/lib/domain/bounds";
import { sha256Hex } from "@/lib/domain/canonical";
import { type CapabilityDescriptor, CapabilityDescriptorSchema } from "@/lib/domain/capability";
import type { ChainVerdict } from "@/lib/domain/chain";
import type { OperationKind, OperationState } from "@/lib/domain/operation";
import { ownerToldAt, type SentenceFacts, topSentences } from "@/lib/domain/operation-sentence";
import type { Waiting } from "@/lib/domain/waiting";
import { asTenant, type Database, ledgerNow, type Tx } from "@/lib/store/db";
import {
  attemptsOf,
  historyOf,
  inboundOf,
  receiptsOf,
  type StoryAttempt,
  type StoryEvent,
  type StoryInbound,
  type StoryReceipt,
} from "./operation-story";
import { payloadOf, targetText } from "./payload-target";
import { type Person, personsOf } from "./persons";
import { contactBefore } from "./skipped-reminder";
import { waitingOf } from "./waiting-for";

export interface OperationFacts {
  readonly opId: string;
  readonly opKey: string;
  readonly kind: OperationKind;
  readonly requestRef: string;
  readonly state: OperationState;
  readonly reason: string;
  readonly version: number;
  readonly payloadHash: string;
  readonly proposedBy: string;
  readonly editedBy: string | null;
  readonly approvalExpiresAt: string | null;
  readonly approvedAt: string | null;
  readonly dueAt: string;
  readonly leaseUntil: string | null;
  readonly fence: number;
  readonly attempts: number;
  readonly attemptsMax: number;
  readonly looks: number;
  readonly looksMax: number;
  /** How long it may be unknown before its owner is told, in milliseconds. */
  readonly unknownToldAfterMs: number;
  readonly unknownSince: string | null;
  readonly nextLookAt: string | null;
  readonly lastLookAt: string | null;
  readonly platformRef: string | null;
  readonly supersedesOpId: string | null;
  readonly successorOpId: string | null;
  readonly owner: string | null;
  readonly createdAt: string;
  readonly changedAt: string;
}

export interface OperationRequest {
  readonly ref: string;
  readonly zone: string;
  readonly status: string;
  readonly expiresAt: string | null;
  readonly readAt: string | null;
  readonly ended: boolean;
}

export interface OperationConnection {
  readonly name: string;
  readonly sandbox: boolean;
  readonly callTimeoutMs: number;
  /** Null where the stored descriptor cannot be understood, which means the safe branch (PL-2). */
  readonly descriptor: CapabilityDescriptor | null;
}

export interface OperationApproval {
  readonly by: string;
  readonly decision: string;
  readonly version: number;
  readonly payloadHash: string;
  readonly receiptId: string | null;
  readonly at: string;
  readonly revokedAt: string | null;
}

export interface OperationPage {
  readonly now: string;
  readonly operation: OperationFacts;
  readonly request: OperationRequest;
  readonly connection: OperationConnection;
  readonly waiting: Waiting;
  /** Where it stands and why, in words: the top of the page. */
  readonly sentences: readonly string[];
  /** When the owner of an unknown operation is told; null while nothing is unknown. */
  readonly ownerToldAt: string | null;
  /** What the approved payload wants the platform to show; null where it can no longer be read. */
  readonly asked: Asked | null;
  readonly events: readonly StoryEvent[];
  readonly chain: ChainVerdict;
  readonly attempts: readonly StoryAttempt[];
  readonly receipts: readonly StoryReceipt[];
  readonly approvals: readonly OperationApproval[];
  readonly inbound: readonly StoryInbound[];
  /** Text only for those who may see payloads; the hash was taken over it just now (ID-3). */
  readonly payload: { readonly text: string | null; readonly recomputed: string };
  /** Who the actors of events and approvals are, by actor string. */
  readonly persons: Readonly<Record<string, Person>>;
}

export interface Asked {
  readonly expiresAt: string | null;
  /** The end that an expiry or a void brings about. */
  readonly status: "expired" | "voided" | null;
  /** How many signers a reminder or resend reaches; null for every other kind. */
  readonly contacts: number | null;
  readonly expectedExpiresAt: string | null;
  readonly expectedStatus: string | null;
}

export interface OperationViewer {
  readonly accountId: string;
  readonly seesPayload: boolean;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Everything that is known about one operation; null when the tenant has none of that id. */
export async function operationPage(
  db: Database,
  tenantId: string,
  viewer: OperationViewer,
  opId: string,
): Promise<OperationPage | null> {
  if (!UUID.test(opId)) return null;
  return asTenant(db, tenantId, async (tx) => {
    const row = await rowOf(tx, tenantId, opId);
    if (row === null) return null;
    const now = await ledgerNow(tx);
    const about = { ...row, since: row.createdAt };
    const { request, connection } = await aroundOf(tx, tenantId, row);
    const { events, chain } = await historyOf(tx, tenantId, row);
    const approvals = await approvalsOf(tx, tenantId, opId);
    const operation = factsOf(row);
    const asked = askedOf(row.canonicalText);
    const receipts = await receiptsOf(tx, tenantId, opId);
    const words = {
      ...sentenceFacts({ operation, request: request.facts, connection, asked, receipts }, now),
      contact: await contactBefore(tx, tenantId, row),
    };
    const actors = [...events.map(({ actor }) => actor), ...approvals.map(({ by }) => by)];
    const names = [...actors, row.proposedBy, ...(row.editedBy === null ? [] : [row.editedBy])];
    return {
      now: now.toISOString(),
      operation,
      request: request.facts,
      connection,
      waiting: await waitingOf(tx, tenantId, row, now),
      sentences: topSentences(words),
      ownerToldAt: operation.unknownSince === null ? null : ownerToldAt(words),
      asked,
      events,
      chain,
      attempts: await attemptsOf(tx, tenantId, opId),
      receipts,
      approvals,
      inbound: await inboundOf(tx, tenantId, { ...about, platformRef: request.platformRef }),
      payload: {
        text: viewer.seesPayload ? row.canonicalText : null,
        recomputed: sha256Hex(row.canonicalText),
      },
      persons: Object.fromEntries(await personsOf(tx, tenantId, names, viewer.accountId)),
    };
  });
}

function sentenceFacts(
  page: Pick<OperationPage, "operation" | "request" | "connection" | "asked" | "receipts">,
  now: Date,
): SentenceFacts {
  const { operation, request, connection, asked, receipts } = page;
  const last = receipts.at(-1);
  return {
    ...operation,
    zone: request.zone,
    callTimeoutMs: connection.callTimeoutMs,
    target: asked?.expiresAt ?? null,
    expected: asked?.expectedExpiresAt ?? null,
    expectedStatus: asked?.expectedStatus ?? null,
    lastRead: last === undefined ? null : { ...last, at: last.startedAt },
    now: now.toISOString(),
  };
}

async function rowOf(tx: Tx, tenantId: string, opId: string) {
  const row = await tx.operation.findUnique({
    where: { tenantId_opId: { tenantId, opId } },
    omit: { tenantId: true, eventActor: true, eventEvidence: true, eventKind: true, lapses: true },
  });
  if (row === null) return null;
  return { ...row, kind: row.kind as OperationKind, state: row.state as OperationState };
}

type Row = NonNullable<Awaited<ReturnType<typeof rowOf>>>;

function factsOf(row: Row): OperationFacts {
  const text = (instant: Date | null) => instant?.toISOString() ?? null;
  return {
    opId: row.opId,
    opKey: row.opKey,
    kind: row.kind,
    requestRef: row.requestRef,
    state: row.state,
    reason: row.reason,
    version: row.version,
    payloadHash: row.payloadHash,
    proposedBy: row.proposedBy,
    editedBy: row.editedBy,
    approvalExpiresAt: text(row.approvalExpiresAt),
    approvedAt: text(row.approvedAt),
    dueAt: row.dueAt.toISOString(),
    leaseUntil: text(row.leaseUntil),
    fence: row.fence,
    attempts: row.attempts,
    attemptsMax: DEFAULT_BOUNDS.attemptsMax,
    looks: row.looks,
    looksMax: DEFAULT_BOUNDS.looksMax,
    unknownToldAfterMs: DEFAULT_BOUNDS.unknownToldAfterMs,
    unknownSince: text(row.unknownSince),
    nextLookAt: text(row.nextLookAt),
    lastLookAt: text(row.lastLookAt),
    platformRef: row.platformRef,
    supersedesOpId: row.supersedesOpId,
    successorOpId: row.successorOpId,
    owner: row.owner,
    createdAt: row.createdAt.toISOString(),
    changedAt: row.changedAt.toISOString(),
  };
}

async function aroundOf(tx: Tx, tenantId: string, { requestRef, connectionId }: Row) {
  const request = await tx.request.findUniqueOrThrow({
    where: { tenantId_ref: { tenantId, ref: requestRef } },
    select: {
      zone: true,
      platformRef: true,
      mirrorStatus: true,
      mirrorExpiresAt: true,
      mirrorReadAt: true,
      mirrorTerminal: true,
    },
  });
  const connection = await tx.connection.findUniqueOrThrow({
    where: { tenantId_id: { tenantId, id: connectionId } },
    select: { name: true, environment: true, callTimeoutMs: true, descriptor: true },
  });
  return {
    request: {
      platformRef: request.platformRef,
      facts: {
        ref: requestRef,
        zone: request.zone,
        status: request.mirrorStatus ?? "unread",
        expiresAt: request.mirrorExpiresAt?.toISOString() ?? null,
        readAt: request.mirrorReadAt?.toISOString() ?? null,
        ended: request.mirrorTerminal,
      },
    },
    connection: {
      name: connection.name,
      sandbox: connection.environment === "sandbox",
      callTimeoutMs: connection.callTimeoutMs,
      descriptor:
        CapabilityDescriptorSchema.safeParse(JSON.parse(connection.descriptor)).data ?? null,
    },
  };
}

async function approvalsOf(tx: Tx, tenantId: string, opId: string): Promise<OperationApproval[]> {
  const rows = await tx.approval.findMany({
    where: { tenantId, opId },
    orderBy: { at: "asc" },
    omit: { tenantId: true, opId: true },
  });
  return rows.map(({ accountId, at, revokedAt, ...row }) => ({
    ...row,
    by: `user:${accountId}`,
    at: at.toISOString(),
    revokedAt: revokedAt?.toISOString() ?? null,
  }));
}

function askedOf(text: string): Asked | null {
  const payload = payloadOf(text);
  if (payload === null) return null;
  const expected = "expected" in payload ? payload.expected : null;
  const { kind } = payload;
  return {
    expiresAt: targetText(text),
    status: kind === "expire" ? "expired" : kind === "void" ? "voided" : null,
    contacts: kind === "remind" || kind === "resend" ? payload.signers.length : null,
    expectedExpiresAt: expected?.expires_at ?? null,
    expectedStatus: expected?.status ?? null,
  };
}
