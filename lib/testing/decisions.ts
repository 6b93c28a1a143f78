import { randomUUID } from "node:crypto";
import type { DecisionCode } from "@/lib/domain/decision";
import { claimDueWork } from "@/lib/flows/claim-work";
import type { Actor, ConsoleContext } from "@/lib/flows/context";
import { type Decided, type DecisionWish, decideItem } from "@/lib/flows/decide-item";
import { executeClaim } from "@/lib/flows/execute";
import { settleDecisions } from "@/lib/flows/settle-decisions";
import type { WorkerContext } from "@/lib/flows/worker-context";
import { type DecisionView, decisionView } from "@/lib/queries/decision-view";
import { type ReviewItemPage, reviewItemPage } from "@/lib/queries/review-item-page";
import { connect } from "@/lib/store/db";
import { aMember, type TestLedger } from "./tenants";
import type { ShopTenant, Workshop } from "./workshop";

/** What tests about decisions arrange and look at. */

export const WHY = "The counterparty confirmed what they see.";

export function anOnCall({ ledger }: Pick<Workshop, "ledger">, { tenantId }: ShopTenant) {
  return aMember(ledger.owner, tenantId, "on_call");
}

/** The item as this person sees it. Throws when it is not there. */
export async function itemPage(
  ledger: TestLedger,
  actor: Actor,
  itemId: string,
): Promise<ReviewItemPage> {
  const viewer = { accountId: actor.id, role: actor.role, vaultKey: ledger.ctx.vaultKey };
  const page = await reviewItemPage(ledger.ctx.db, actor.tenantId, viewer, itemId);
  if (page === null) throw new Error("there is no such item");
  return page;
}

/** Decides on the facts as they are on screen now. */
export async function decideNow(
  ledger: TestLedger,
  actor: Actor,
  itemId: string,
  option: DecisionCode,
  more: Partial<DecisionWish> = {},
): Promise<Decided> {
  const { factsHash } = await itemPage(ledger, actor, itemId);
  const wish = { itemId, option, reason: WHY, expected: factsHash, ...more };
  return decideItem(ledger.ctx, actor, wish);
}

/** Lets a worker work every decision that waits, and gives this one as the person sees it. */
export async function settled(
  ledger: TestLedger,
  worker: WorkerContext,
  actor: Actor,
  itemId: string,
  { decisionId }: Decided,
): Promise<DecisionView> {
  while ((await settleDecisions(worker)) > 0);
  const viewer = { accountId: actor.id, role: actor.role, vaultKey: ledger.ctx.vaultKey };
  const view = await decisionView(ledger.ctx.db, actor.tenantId, viewer, { itemId, decisionId });
  if (view === null) throw new Error("there is no such decision");
  return view;
}

/** Executes everything that is due once; what the platform answers decides where it ends. */
export async function executeDue(worker: WorkerContext): Promise<void> {
  for (;;) {
    const hands = await claimDueWork(worker, 8);
    if (hands.length === 0) return;
    await Promise.all(hands.map((hand) => executeClaim(worker, hand)));
  }
}

/** Hands an unknown operation to a person, as a reconciler does at its bound. Returns the id of its item. */
export async function handToPerson(
  { ledger }: Pick<Workshop, "ledger">,
  { tenantId }: ShopTenant,
  opId: string,
  state: "needs_review" | "quarantined" = "needs_review",
  reason = "reconcile_bound_reached",
): Promise<string> {
  await ledger.owner.$executeRaw`
    UPDATE operations SET state = 'reconciling', fence = fence + 1, next_look_at = NULL,
      lease_owner = ${randomUUID()}::uuid, lease_until = ledger_now(), event_actor = 'worker:test'
    WHERE tenant_id = ${tenantId}::uuid AND op_id = ${opId}::uuid`;
  await ledger.owner.$executeRaw`
    UPDATE operations SET state = ${state}, reason = ${reason}, owner = 'team:on-call', lease_owner = NULL,
      lease_until = NULL, event_actor = 'worker:test'
    WHERE tenant_id = ${tenantId}::uuid AND op_id = ${opId}::uuid`;
  return openItemOf({ ledger }, opId);
}

/** The open item of an operation. Throws when there is none. */
export async function openItemOf(
  { ledger }: Pick<Workshop, "ledger">,
  opId: string,
): Promise<string> {
  const item = await ledger.owner.reviewItem.findFirstOrThrow({
    where: { opId, settledAt: null },
    select: { id: true },
  });
  return item.id;
}

/** A worker and a console whose database clock is ahead by so many seconds. Their pools are closed by `close`. */
export async function clockAhead(
  shop: Workshop,
  seconds: number,
): Promise<{
  readonly worker: WorkerContext;
  readonly ctx: ConsoleContext;
  close(): Promise<void>;
}> {
  const at = (role: string) => {
    const url = new URL(shop.ledger.url);
    url.searchParams.set("options", `${role}-c deadline.clock_offset=${seconds}s`);
    return connect(url.href.replaceAll("+", "%20"), { poolMax: 10 });
  };
  const [owner, db] = [at(""), at("-c role=deadline_worker ")];
  const console = at("-c role=deadline_console ");
  const worker = await shop.worker({ owner, db });
  return {
    worker,
    ctx: { ...shop.ledger.ctx, db: console },
    close: async () => {
      await Promise.all([owner, db, console].map((one) => one.$disconnect()));
    },
  };
}
