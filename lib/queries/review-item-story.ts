import type { JsonValue } from "@/lib/domain/canonical";
import type { WebhookClaim } from "@/lib/domain/decision-difference";
import type { Matter } from "@/lib/domain/decision-matter";
import type { Tx } from "@/lib/store/db";
import { resolveShownText } from "@/lib/store/vault";
import type { DecisionViewer } from "./decision-view";
import { historyOf, type StoryEvent } from "./operation-story";

/** One entry of the timeline: a step of the operation, or something that was done about the item. */
export type ItemAct =
  | ({ readonly source: "operation" } & StoryEvent)
  | {
      readonly source: "item";
      readonly seq: number;
      readonly at: string;
      /** `user:<uuid>` for people, `worker:…`, `system`, or `rule:<id>`. */
      readonly actor: string;
      readonly act: string;
      readonly detail: Readonly<Record<string, JsonValue>>;
      /** The keyed digest of what was typed with it; null where nothing was. */
      readonly noteDigest: string | null;
      /** What was typed when it was handed over, held back or snoozed; null where nothing was or it is erased. */
      readonly note: string | null;
    };

/** The operation's history and the item's acts as one story, oldest first (RV-2). */
export async function timelineOf(
  tx: Tx,
  tenantId: string,
  viewer: DecisionViewer,
  { itemId, operation }: Matter,
): Promise<readonly ItemAct[]> {
  const acts = await actsOf(tx, tenantId, viewer, itemId);
  if (operation === null) return acts;
  const chain = await tx.operation.findUniqueOrThrow({
    where: { tenantId_opId: { tenantId, opId: operation.opId } },
    select: { opId: true, chainLength: true, chainHead: true },
  });
  const { events } = await historyOf(tx, tenantId, chain);
  const steps = events.map((event) => ({ source: "operation" as const, ...event }));
  return [...steps, ...acts].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** Acts whose note is for whoever has the item next; what was typed with a decision is shown with the decision. */
const NOTED: readonly string[] = ["handed_over", "snoozed"];

async function actsOf(
  tx: Tx,
  tenantId: string,
  { vaultKey, accountId }: DecisionViewer,
  itemId: string,
): Promise<readonly ItemAct[]> {
  const rows = await tx.reviewAct.findMany({
    where: { tenantId, itemId },
    orderBy: { seq: "asc" },
    take: 500,
    select: {
      seq: true,
      at: true,
      actor: true,
      act: true,
      detail: true,
      noteRef: true,
      noteDigest: true,
    },
  });
  const notes = new Map<string, string>();
  for (const { noteRef, act } of rows) {
    if (noteRef === null || !NOTED.includes(act)) continue;
    const scope = { tenantId, vaultKey };
    const found = await resolveShownText(tx, scope, noteRef, "review_note", `user:${accountId}`);
    if (found !== null) notes.set(noteRef, found.text);
  }
  return rows.map(({ at, actor, detail, noteRef, ...row }) => ({
    source: "item" as const,
    ...row,
    at: at.toISOString(),
    actor: actor.replace(/^account:/, "user:"),
    detail: detail as Readonly<Record<string, JsonValue>>,
    note: noteRef === null ? null : (notes.get(noteRef) ?? null),
  }));
}

export interface NewestClaim extends WebhookClaim {
  readonly id: string;
  readonly at: string;
  readonly type: string;
}

/** What the platform last told us about the request by itself; null where it told nothing. */
export async function newestClaim(
  tx: Tx,
  tenantId: string,
  { request, connectionId, inboxId }: Matter,
): Promise<NewestClaim | null> {
  const platformRef = request?.platformRef ?? null;
  if (inboxId === null && (platformRef === null || connectionId === null)) return null;
  const row = await tx.inboxEvent.findFirst({
    where:
      inboxId === null
        ? { tenantId, connectionId: connectionId ?? "", platformRef, source: "webhook" }
        : { tenantId, id: inboxId },
    orderBy: { receivedAt: "desc" },
    select: { id: true, type: true, claimedStatus: true, receivedAt: true },
  });
  return (
    row && {
      id: row.id,
      type: row.type,
      status: row.claimedStatus,
      at: row.receivedAt.toISOString(),
    }
  );
}

/** Approved operations of the request that wait until this one is settled (CL-4). */
export async function releasedBy(
  tx: Tx,
  tenantId: string,
  { operation, request }: Matter,
): Promise<readonly { readonly opId: string; readonly kind: string }[]> {
  const waits = operation?.state === "quarantined" || operation?.state === "needs_review";
  if (!operation || !request || !waits) return [];
  return tx.operation.findMany({
    where: {
      tenantId,
      requestRef: request.ref,
      state: "scheduled",
      opId: { not: operation.opId },
    },
    orderBy: { dueAt: "asc" },
    take: 20,
    select: { opId: true, kind: true },
  });
}

/** Where a person looks at a platform that cannot be searched by our reference (screens 4.8). */
export function lookForOf({ operation, reason }: Matter): string {
  if (operation?.payload.kind !== "send" || reason !== "no_lookup") return "";
  const { template, expires_at: expires } = operation.payload;
  const from = operation.firstIntentAt?.toISOString() ?? "the first call";
  const until = operation.calls
    .map(({ reportedAtMs, leaseUntilMs }) => reportedAtMs ?? leaseUntilMs)
    .reduce((a, b) => Math.max(a, b), 0);
  const to = until === 0 ? "" : ` and ${new Date(until).toISOString()}`;
  const what = template === null ? "a request" : `template ${template.id}`;
  return `Look in the platform's own list for ${what} sent between ${from}${to}, expiring ${expires}, reference field ${operation.opId}.`;
}
