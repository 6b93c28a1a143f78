import { randomUUID } from "node:crypto";
import { encode } from "next-auth/jwt";
import { connect, type Database } from "@/lib/store/db";
import { aRequest, aTenant, operationIn, type TestTenant } from "@/lib/testing/factories";
import { test as base, complaintsOf, expect, expectNoAxeFinding } from "./fixtures";
import { system } from "./system";

/** States that no worker touches within a test: nothing in them is due. */
interface Arranged {
  readonly tenant: TestTenant;
  readonly unknown: string;
  readonly held: string;
  readonly done: string;
  readonly quarantined: string;
}

interface Fixtures {
  readonly ledger: Database;
  /** A tenant of its own with one operation in each of these states; the approver is signed in. */
  readonly arranged: Arranged;
}

const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
  ledger: async ({}, use) => {
    const db = connect(system().databaseUrl, { poolMax: 2 });
    await use(db);
    await db.$disconnect();
  },
  arranged: async ({ ledger, context }, use) => {
    const tenant = await aTenant(ledger);
    const request = await aRequest(ledger, tenant);
    const unknown = await operationIn(ledger, tenant, request, "needs_reconcile");
    const held = await operationIn(ledger, tenant, request, "scheduled");
    const other = await aRequest(ledger, tenant);
    const done = await operationIn(ledger, tenant, other, "done");
    const third = await aRequest(ledger, tenant);
    const quarantined = await operationIn(ledger, tenant, third, "quarantined");
    const sid = randomUUID();
    const expiresAt = new Date(Date.now() + 3_600_000);
    await ledger.session.create({ data: { id: sid, accountId: tenant.approverId, expiresAt } });
    const secret = system().env.NEXTAUTH_SECRET ?? "";
    const value = await encode({ token: { sub: tenant.approverId, sid }, secret });
    await context.addCookies([{ name: "next-auth.session-token", value, url: system().url }]);
    await use({ tenant, unknown, held, done, quarantined });
  },
});

test("the list filters by a count, sorts by age, and a reload shows the same", async ({
  page,
  arranged: { tenant, unknown },
}) => {
  const complaints = complaintsOf(page);
  await page.goto(`/t/${tenant.slug}/operations`);
  await expectNoAxeFinding(page);
  await page.getByRole("button", { name: /^Unknown 1$/ }).click();
  await expect(page).toHaveURL(/state=needs_reconcile/);
  await page.getByRole("link", { name: /^Age in state/ }).click();
  await expect(page).toHaveURL(/sort=changed/);
  const row = page.getByRole("link", { name: `op ${unknown.slice(0, 8)}` });
  await expect(row).toBeVisible();
  await page.reload();
  await expect(row).toBeVisible();
  await expect(page.getByRole("columnheader", { name: /^Age in state/ })).toHaveAttribute(
    "aria-sort",
    "descending",
  );
  expect(complaints).toEqual([]);
});

test("filters that match nothing say so and can be cleared", async ({ page, arranged }) => {
  await page.goto(`/t/${arranged.tenant.slug}/operations?state=done&q=zzz`);
  await expect(page.getByText("Nothing matches these filters.")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).last().click();
  await expect(page.getByRole("table", { name: "Operations" })).toBeVisible();
});

test("with keys alone one reaches a row and opens it", async ({ page, arranged }) => {
  await page.goto(`/t/${arranged.tenant.slug}/operations?state=done`);
  const row = page.getByRole("link", { name: `op ${arranged.done.slice(0, 8)}` });
  await expect(async () => {
    await page.keyboard.press("j");
    await expect(row).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/operations/${arranged.done}`));
});

test("a new operation waits behind a button while the focus stays on its row", async ({
  page,
  ledger,
  arranged,
}) => {
  const { tenant, quarantined } = arranged;
  await page.goto(`/t/${tenant.slug}/operations`);
  const row = page.getByRole("link", { name: `op ${quarantined.slice(0, 8)}` });
  await row.focus();
  await operationIn(ledger, tenant, await aRequest(ledger, tenant), "proposed");
  await expect(page.getByRole("button", { name: "1 new, show" })).toBeVisible();
  await expect(row).toBeFocused();
});

test("RC-1: an unknown operation says so in plain words, shows when it is looked at, and offers no repeat @390", async ({
  page,
  arranged: { tenant, unknown },
}) => {
  const complaints = complaintsOf(page);
  await page.goto(`/t/${tenant.slug}/operations/${unknown}`);
  const main = page.getByRole("main");
  await expect(main.locator("[data-state=needs_reconcile]").first()).toHaveText("Unknown");
  await expect(main).toContainText("We could not confirm that the platform applied this");
  await expect(main).toContainText("Checking again at");
  await expect(main).toContainText("No conditional update.");
  await expect(main).not.toContainText(/race-free/i);
  await expect(page.getByRole("button", { name: /retry|try again/i })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Check now" })).toBeVisible();
  await expectNoAxeFinding(page);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
  expect(complaints).toEqual([]);
});

test("RC-1: asking for a look now changes nothing but the time of the look", async ({
  page,
  arranged: { tenant, unknown },
}) => {
  await page.goto(`/t/${tenant.slug}/operations/${unknown}`);
  await page.getByRole("button", { name: "Check now" }).click();
  await expect(page.getByText("Asked for. The worker looks at the platform now")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Check asked for" })).toBeVisible();
});

test("CL-4: an operation that waits for another one links to it", async ({ page, arranged }) => {
  const { tenant, unknown, held } = arranged;
  await page.goto(`/t/${tenant.slug}/operations/${held}`);
  await expect(page.getByText("Another change of this request is not settled")).toBeVisible();
  await page.getByRole("link", { name: `Open op ${unknown.slice(0, 8)}` }).click();
  await expect(page).toHaveURL(new RegExp(`/operations/${unknown}`));
  await expect(page.getByText(/Holds back: 1 later operation/)).toBeVisible();
});

test("PL-4 SM-4: a confirmed operation shows the reads before and after, its hash and a verified chain", async ({
  page,
  arranged: { tenant, done },
}) => {
  await page.goto(`/t/${tenant.slug}/operations/${done}?tab=reads`);
  const details = page.getByRole("region", { name: "Details" });
  await expect(details.getByRole("heading", { name: /^Before the call/ })).toBeVisible();
  await expect(details.getByRole("heading", { name: /^After the call/ })).toBeVisible();
  await expect(details.getByText("equal")).toHaveCount(2);
  await page.getByRole("tab", { name: /^Chain/ }).click();
  await expect(page).toHaveURL(/tab=chain/);
  await expect(details.locator("[data-state=verified]").first()).toHaveText("Verified");
  await expectNoAxeFinding(page);
});

test("a change of state appears without a reload", async ({ page, ledger, arranged }) => {
  const { tenant, quarantined } = arranged;
  await page.goto(`/t/${tenant.slug}/operations/${quarantined}`);
  const badge = page.getByRole("region", { name: "State", exact: true }).locator("[data-state]");
  await expect(badge).toHaveAttribute("data-state", "quarantined");
  await ledger.operation.update({
    where: { tenantId_opId: { tenantId: tenant.id, opId: quarantined } },
    data: {
      state: "obsolete",
      reason: "decided_not_needed",
      eventActor: `user:${tenant.approverId}`,
      eventEvidence: "{}",
    },
  });
  await expect(badge).toHaveAttribute("data-state", "obsolete");
});

test("RV-1: what waits for a person is listed with reason, owner and age, and is not decided here @390", async ({
  page,
  arranged: { tenant, quarantined },
}) => {
  await page.goto(`/t/${tenant.slug}/reviews?view=all`);
  const row = page.getByRole("row").filter({ hasText: quarantined.slice(0, 8) });
  await expect(row).toContainText("expiry_changed_since_approval");
  await expect(row).toContainText("The on-call team");
  await expect(row).toContainText(/of (15 min|1 h|8 h)/);
  await expect(page.getByRole("button", { name: /decide/i })).toHaveCount(0);
  await expectNoAxeFinding(page);
});

test("PV-2: the address of another tenant's operation shows nothing", async ({
  page,
  ledger,
  arranged,
}) => {
  const other = await aTenant(ledger);
  const theirs = await operationIn(ledger, other, await aRequest(ledger, other), "done");
  for (const slug of [arranged.tenant.slug, other.slug]) {
    const response = await page.goto(`/t/${slug}/operations/${theirs}`);
    expect(response?.status()).toBe(404);
  }
});
