import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SAVED_VIEWS_MAX } from "@/lib/domain/saved-view";
import { savedViewsOf } from "@/lib/queries/saved-views";
import type { Tx } from "@/lib/store/db";
import { waitUntil } from "@/lib/testing/processes";
import {
  aMember,
  aTenant,
  type TestLedger,
  type TestTenant,
  testLedger,
} from "@/lib/testing/tenants";
import type { Actor } from "./context";
import { deleteView, renameView, saveView } from "./save-view";

let ledger: TestLedger;
let tenant: TestTenant;
let ann: Actor;
let ben: Actor;

beforeAll(async () => {
  ledger = await testLedger();
  tenant = await aTenant(ledger.owner);
  ann = await aMember(ledger.owner, tenant.tenantId);
  ben = await aMember(ledger.owner, tenant.tenantId);
});
afterAll(() => ledger.close());

function viewsOf(actor: Actor, page: "deadlines" | "requests" = "deadlines") {
  return savedViewsOf(ledger.ctx.db, tenant.tenantId, actor.id, page);
}

function save(actor: Actor, name: string, page: "deadlines" | "requests" = "deadlines") {
  return saveView(ledger.ctx, actor, { page, name, query: "?drift=yes&after=clock_1_req_1" });
}

test("screens 1.6: a view is kept without its place, renamed and deleted by the one who saved it", async () => {
  const { id } = await save(ann, "Mine that differ");
  expect(await viewsOf(ann)).toEqual([{ id, name: "Mine that differ", query: "drift=yes" }]);
  await renameView(ledger.ctx, ann, id, "Drifting");
  expect(await viewsOf(ann)).toMatchObject([{ name: "Drifting" }]);
  await deleteView(ledger.ctx, ann, id);
  expect(await viewsOf(ann)).toEqual([]);
  await expect(deleteView(ledger.ctx, ann, id)).rejects.toMatchObject({ code: "not_found" });
});

test("PV-2: nobody sees, renames or deletes the view of another person", async () => {
  const { id } = await save(ann, "Private");
  expect(await viewsOf(ben)).toEqual([]);
  const refused = { code: "not_found" };
  await expect(renameView(ledger.ctx, ben, id, "Taken over")).rejects.toMatchObject(refused);
  await expect(deleteView(ledger.ctx, ben, id)).rejects.toMatchObject(refused);
  await expect(renameView(ledger.ctx, ann, randomUUID(), "x")).rejects.toMatchObject(refused);
  expect(await viewsOf(ann)).toMatchObject([{ id, name: "Private" }]);
});

test("a name stands once per person and page, in whatever case", async () => {
  await save(ben, "Weekly");
  const { id } = await save(ben, "Daily");
  const taken = { code: "view_name_taken" };
  await expect(save(ben, "weekly")).rejects.toMatchObject(taken);
  await expect(renameView(ledger.ctx, ben, id, "WEEKLY")).rejects.toMatchObject(taken);
  await renameView(ledger.ctx, ben, id, "DAILY");
  await save(ben, "Weekly", "requests");
  await save(ann, "Weekly");
});

test("views have a limit, so that nobody fills the table", async () => {
  const one = await aMember(ledger.owner, tenant.tenantId);
  for (let n = 1; n <= SAVED_VIEWS_MAX; n += 1) await save(one, `View ${n}`);
  await expect(save(one, "One more")).rejects.toMatchObject({ code: "view_limit" });
});

test("C-09: a name that another tab is just giving another view is refused in words, not as a failure", async () => {
  const one = await aMember(ledger.owner, tenant.tenantId);
  const [first, second] = [await save(one, "First"), await save(one, "Second")];
  let done: Promise<void> | undefined;
  await ledger.owner.$transaction(
    async (tx) => {
      await tx.$executeRaw`UPDATE saved_views SET name = 'Mine' WHERE id = ${first.id}::uuid`;
      done = renameView(ledger.ctx, one, second.id, "MINE");
      done.catch(() => undefined);
      await waitUntil(() => isWaiting(tx), { timeoutMs: 20_000, what: "the second rename waits" });
    },
    { timeout: 30_000 },
  );
  await expect(done).rejects.toMatchObject({ code: "view_name_taken" });
  expect(await viewsOf(one)).toMatchObject([{ name: "Mine" }, { name: "Second" }]);
});

/** Whether a transaction waits for this one. */
async function isWaiting(tx: Tx): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ waits: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))) AS waits`;
  return row?.waits ?? false;
}
