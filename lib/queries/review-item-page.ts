import type { DecisionOutcome, DifferenceRow } from "@/lib/domain/decision";
import { differenceOf } from "@/lib/domain/decision-difference";
import type { Matter } from "@/lib/domain/decision-matter";
import type { Observation } from "@/lib/domain/observation";
import { raceSentence } from "@/lib/domain/promise-words";
import { observationOfReceipt } from "@/lib/domain/receipt-observation";
import { asTenant, type Database, type Tx } from "@/lib/store/db";
import { loadMatter } from "@/lib/store/decision-matter";
import { newestReceiptOf } from "@/lib/store/decision-receipts";
import { decisionsOfItem, earlierDecisionsOf } from "@/lib/store/decisions";
import { Prisma } from "@/lib/store/prisma/client";
import { raceWindowOf } from "./approve-page";
import { type OfferedDecisions, offeredDecisions } from "./decision-options";
import { type DecisionView, type DecisionViewer, viewsOf } from "./decision-view";
import { type Person, personsOf } from "./persons";
import { type ReceiptRow, readsOf } from "./receipts";
import { type ItemAct, lookForOf, newestClaim, releasedBy, timelineOf } from "./review-item-story";
import { foundRows, type ReviewRow, rowOf } from "./review-rows";

/** One request at the platform that carries the reference of a send. */
export interface PlatformMatch {
  readonly platformRef: string;
  /** The platform does not say in a read; kept for those that will. */
  readonly createdAt: string | null;
  readonly status: string;
  readonly expiresAt: string | null;
  readonly signed: number;
  readonly signers: number;
}

/** Everything about one review item (RV-2), with what can be decided about it (RV-3). */
export interface ReviewItemPage extends OfferedDecisions {
  readonly now: string;
  readonly item: ReviewRow;
  /** Expected, ledger, platform and webhook side by side; what differs first. */
  readonly difference: readonly DifferenceRow[];
  /** The read that the difference is from. */
  readonly platformRead: {
    readonly id: string;
    readonly at: string;
    readonly outcome: string;
  } | null;
  readonly webhook: { readonly id: string; readonly at: string; readonly type: string } | null;
  /** Reads of the operation, or of the request where there is none; newest first. */
  readonly receipts: readonly ReceiptRow[];
  readonly raceWindow: string;
  /** The operation's history and what was done about the item, oldest first. */
  readonly timeline: readonly ItemAct[];
  readonly persons: Readonly<Record<string, Person>>;
  /** The newest decision about this item; null while nobody decided. */
  readonly decision: DecisionView | null;
  readonly decisions: readonly DecisionView[];
  /** Decisions about other items of the same request, newest first. */
  readonly earlier: readonly DecisionView[];
  /** Requests with the same reference, for possible duplicates. */
  readonly matches: readonly PlatformMatch[];
  /** Where a person looks at a platform that cannot be searched. */
  readonly lookFor: string;
  /** Operations of the request that wait for this one. */
  readonly released: readonly { readonly opId: string; readonly kind: string }[];
  /** Who is told of a decision, in words. */
  readonly told: readonly string[];
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const READS = 50;

/** The page of one review item; null when the tenant has none of that id. */
export async function reviewItemPage(
  db: Database,
  tenantId: string,
  viewer: DecisionViewer,
  itemId: string,
): Promise<ReviewItemPage | null> {
  if (!UUID.test(itemId)) return null;
  return asTenant(db, tenantId, async (tx) => {
    const matter = await loadMatter(tx, tenantId, itemId);
    const item = matter && (await rowById(tx, tenantId, viewer, matter));
    if (matter === null || !item) return null;
    const newest = await newestRead(tx, tenantId, matter);
    const claim = await newestClaim(tx, tenantId, matter);
    const decisions = await decisionsOfItem(tx, tenantId, itemId);
    const views = await viewsOf(tx, tenantId, viewer, decisions);
    const timeline = await timelineOf(tx, tenantId, viewer, matter);
    return {
      now: matter.now.toISOString(),
      item,
      ...offeredDecisions(matter, viewer.role, newest),
      difference: differenceOf(matter, newest?.observation ?? null, claim),
      platformRead: newest && { id: newest.id, at: newest.at, outcome: newest.observation.kind },
      webhook: claim && { id: claim.id, at: claim.at, type: claim.type },
      receipts: await receiptsFor(tx, tenantId, matter),
      raceWindow: await raceWords(tx, tenantId, matter),
      timeline,
      persons: await personsIn(tx, tenantId, viewer, timeline),
      decision: views[0] ?? null,
      decisions: views,
      earlier: await earlierOf(tx, tenantId, viewer, matter),
      matches: matchesIn(newest?.observation ?? null),
      lookFor: lookForOf(matter),
      released: await releasedBy(tx, tenantId, matter),
      told: toldOf(item, decisions[0]?.outcome ?? null),
    };
  });
}

async function rowById(
  tx: Tx,
  tenantId: string,
  viewer: DecisionViewer,
  { itemId, now }: Matter,
): Promise<ReviewRow | null> {
  const chosen = Prisma.sql`SELECT i.*, '' AS cursor, 1 AS place FROM review_items i
    WHERE i.tenant_id = ${tenantId}::uuid AND i.id = ${itemId}::uuid`;
  const [row] = await foundRows(tx, chosen);
  return row ? rowOf(row, viewer, now.toISOString()) : null;
}

async function newestRead(tx: Tx, tenantId: string, matter: Matter) {
  const receipt = await newestReceiptOf(tx, tenantId, matter);
  const observation: Observation | null = receipt && observationOfReceipt(receipt);
  if (receipt === null || observation === null) return null;
  const { id, startedAt } = receipt;
  return { id, observation, startedAt, at: startedAt.toISOString() };
}

async function receiptsFor(tx: Tx, tenantId: string, { request }: Matter): Promise<ReceiptRow[]> {
  return request === null ? [] : readsOf(tx, tenantId, request.ref, READS);
}

async function raceWords(
  tx: Tx,
  tenantId: string,
  { descriptor, connectionId, operation }: Matter,
): Promise<string> {
  if (operation === null || connectionId === null) return "";
  return raceSentence(descriptor, await raceWindowOf(tx, tenantId, connectionId));
}

async function personsIn(
  tx: Tx,
  tenantId: string,
  { accountId }: DecisionViewer,
  timeline: readonly ItemAct[],
): Promise<Readonly<Record<string, Person>>> {
  const names = [...new Set(timeline.map(({ actor }) => actor))];
  return Object.fromEntries(await personsOf(tx, tenantId, names, accountId));
}

async function earlierOf(
  tx: Tx,
  tenantId: string,
  viewer: DecisionViewer,
  { request, itemId }: Matter,
): Promise<readonly DecisionView[]> {
  if (request === null) return [];
  const rows = await earlierDecisionsOf(tx, tenantId, request.ref, itemId);
  return viewsOf(tx, tenantId, viewer, rows);
}

function matchesIn(observation: Observation | null): readonly PlatformMatch[] {
  if (observation?.kind !== "read") return [];
  return observation.matches.map(
    ({ platformRef, status, expiresAt, signedCount, signerCount }) => ({
      platformRef,
      createdAt: null,
      status,
      expiresAt,
      signed: signedCount,
      signers: signerCount,
    }),
  );
}

/** Whoever is told when an item closes or waits for a second person. */
function toldOf({ owner, team }: ReviewRow, outcome: DecisionOutcome | null): readonly string[] {
  if (outcome === "second_person") return ["whoever may confirm it"];
  return owner === team
    ? [`the team (${team.replace("team:", "").replaceAll("-", " ")})`]
    : ["the owner"];
}
