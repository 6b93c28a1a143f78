import { randomUUID } from "node:crypto";
import type { BrowserContext, Page } from "@playwright/test";
import { encode } from "next-auth/jwt";
import { connect, type Database } from "@/lib/store/db";
import {
  aRequest,
  aTenant,
  operationIn,
  type TestRequest,
  type TestTenant,
} from "@/lib/testing/factories";
import { test as base, complaintsOf, expect, expectNoAxeFinding } from "./fixtures";
import { system } from "./system";

const HOUR = 3_600_000;

interface Arranged {
  readonly tenant: TestTenant;
  /** Its platform ends it before its own deadline, which is a day earlier in its zone than in UTC. */
  readonly drifting: TestRequest;
  /** Has a reminder planned. */
  readonly timed: TestRequest;
  readonly unknown: TestRequest;
}

interface Fixtures {
  readonly ledger: Database;
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
    await signIn(ledger, context, tenant);
    await use(await arrange(ledger, tenant));
  },
});

/** Tomorrow's 02:30Z is still today in Los Angeles. */
function nightInUtc(): Date {
  const tomorrow = new Date(Date.now() + 48 * HOUR).toISOString().slice(0, 10);
  return new Date(`${tomorrow}T02:30:00Z`);
}

async function arrange(ledger: Database, tenant: TestTenant): Promise<Arranged> {
  const night = nightInUtc();
  const drifting = await aRequest(ledger, tenant, "req_drifting", {
    zone: "America/Los_Angeles",
    businessDeadlineAt: night,
    mirrorExpiresAt: new Date(night.getTime() - 3.5 * HOUR),
    ownerAccountId: tenant.approverId,
  });
  const at = new Date(Date.now() + 100 * HOUR);
  const clocks = { businessDeadlineAt: at, mirrorExpiresAt: at };
  const timed = await aRequest(ledger, tenant, "req_timed", clocks);
  const columns = { dueAt: new Date(Date.now() + 30 * HOUR) };
  await operationIn(ledger, tenant, timed, "scheduled", { kind: "remind", columns });
  const unknown = await aRequest(ledger, tenant, "req_unknown", {
    businessDeadlineAt: new Date(Date.now() + 30 * 24 * HOUR),
    mirrorExpiresAt: new Date(Date.now() + 30 * 24 * HOUR),
  });
  await operationIn(ledger, tenant, unknown, "needs_reconcile");
  return { tenant, drifting, timed, unknown };
}

async function signIn(ledger: Database, context: BrowserContext, tenant: TestTenant) {
  const sid = randomUUID();
  const expiresAt = new Date(Date.now() + HOUR);
  await ledger.session.create({ data: { id: sid, accountId: tenant.approverId, expiresAt } });
  const secret = system().env.NEXTAUTH_SECRET ?? "";
  const value = await encode({ token: { sub: tenant.approverId, sid }, secret });
  await context.addCookies([{ name: "next-auth.session-token", value, url: system().url }]);
}

function deadlines(page: Page) {
  return page.getByRole("table", { name: "Deadlines" });
}

test("TM-1 C-38: the table groups by how soon, names both clocks in the request's own zone and says by how much they differ @390", async ({
  page,
  arranged: { tenant, drifting },
}) => {
  const complaints = complaintsOf(page);
  await page.goto(`/t/${tenant.slug}/deadlines`);
  const row = page.getByRole("row").filter({ hasText: drifting.ref });
  await expect(row).toContainText("3 h 30 min before ours");
  await expect(row).toContainText("(America/Los_Angeles)");
  await expect(row).toContainText("as of");
  await expect(deadlines(page)).toContainText(/in 48 h \(1\)|in 24 h \(1\)/);
  await expect(deadlines(page)).toContainText("later (1)");
  await expectNoAxeFinding(page);
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(sideways).toBeLessThanOrEqual(0);
  expect(complaints).toEqual([]);
});

test("screens 3.9: built-in views filter in the address, and a view of one's own is saved, renamed and deleted", async ({
  page,
  arranged: { tenant, unknown },
}) => {
  await page.goto(`/t/${tenant.slug}/deadlines`);
  await page.getByRole("link", { name: /^Unknown now 1$/ }).click();
  await expect(page).toHaveURL(/unknown=yes/);
  await expect(page.getByRole("link", { name: unknown.ref })).toBeVisible();
  await expect(page.getByRole("link", { name: "req_timed" })).toHaveCount(0);
  await page.getByRole("button", { name: "Save this view" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("What we do not know");
  await page.getByRole("button", { name: "Save view" }).click();
  const views = page.getByRole("navigation", { name: "Your views" });
  await expect(views.getByRole("link", { name: "What we do not know" })).toBeVisible();
  await page.getByRole("link", { name: "All open" }).click();
  await views.getByRole("link", { name: "What we do not know" }).click();
  await expect(page).toHaveURL(/unknown=yes/);
  await page.getByRole("button", { name: "Rename What we do not know" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Unknown");
  await page.getByRole("button", { name: "Rename view" }).click();
  await page.getByRole("button", { name: "Delete Unknown" }).click();
  await expect(page.getByRole("button", { name: "Save this view" })).toBeVisible();
});

test("screens 1.5: v goes through the views and b through the orders, and marks are reached by arrow keys", async ({
  page,
  arranged: { tenant, drifting },
}) => {
  await page.goto(`/t/${tenant.slug}/deadlines`);
  await expect(deadlines(page)).toBeVisible();
  await expect(async () => {
    await page.keyboard.press("b");
    await expect(page).toHaveURL(/by=business/, { timeout: 1000 });
  }).toPass();
  await page.goto(`/t/${tenant.slug}/deadlines`);
  await expect(async () => {
    await page.keyboard.press("v");
    await expect(page).toHaveURL(/view=timeline/, { timeout: 1000 });
  }).toPass();
  const mark = page.getByRole("button", { name: new RegExp(`^${drifting.ref}: platform expiry`) });
  await mark.focus();
  await page.keyboard.press("ArrowRight");
  await expect(
    page.getByRole("button", { name: new RegExp(`^${drifting.ref}: business deadline`) }),
  ).toBeFocused();
  await expect(page.getByRole("status").filter({ hasText: "business deadline" })).toBeVisible();
  await expectNoAxeFinding(page);
});

test("screens 3.9: on a narrow screen the timeline is an agenda @390", async ({
  page,
  arranged: { tenant, drifting },
}, { project }) => {
  await page.goto(`/t/${tenant.slug}/deadlines?view=timeline`);
  const agenda = page.getByRole("table", { name: /^Agenda/ });
  await expect(agenda).toContainText(drifting.ref);
  const grid = page.getByRole("table", { name: /^Timeline/ });
  if (project.name === "390") await expect(grid).toBeHidden();
  else await expect(grid).toBeVisible();
  await expectNoAxeFinding(page);
});

test("C-38: the month reads in the chosen zone and names the request's own day where it is another @390", async ({
  page,
  arranged: { tenant, drifting },
}) => {
  const month = nightInUtc().toISOString().slice(0, 7);
  await page.goto(`/t/${tenant.slug}/deadlines?view=month&month=${month}`);
  const entry = page.getByRole("listitem").filter({ hasText: `02:30 ${drifting.ref}` });
  await expect(entry).toContainText(/there, \d+ \w+ in UTC/);
  await expectNoAxeFinding(page);
  await page.goto(`/t/${tenant.slug}/deadlines?view=month&month=${month}&tz=America%2FLos_Angeles`);
  await expect(page.getByRole("main")).toContainText("days in America/Los_Angeles");
  const own = page.getByRole("listitem").filter({ hasText: drifting.ref });
  await expect(own.first()).toBeVisible();
  await expect(own.filter({ hasText: "there," })).toHaveCount(0);
});

test("screens 6.14: the zone switch changes line 2 and leaves line 1 alone", async ({
  page,
  arranged: { tenant, drifting },
}) => {
  await page.goto(`/t/${tenant.slug}/deadlines`);
  const first = page.getByRole("row").filter({ hasText: drifting.ref }).locator("time").first();
  const [line1, line2] = await Promise.all([
    first.locator("span").first().textContent(),
    first.locator("span").last().textContent(),
  ]);
  await page.goto(`/t/${tenant.slug}/deadlines?tz=Asia%2FTokyo`);
  await expect(first.locator("span").first()).toHaveText(line1 ?? "");
  await expect(first.locator("span").last()).toContainText("(Asia/Tokyo)");
  expect(line2).not.toContain("Tokyo");
});

test("screens 1.6: a new deadline waits behind a button, and the API's failure says that nothing was changed", async ({
  page,
  ledger,
  arranged: { tenant },
}) => {
  await page.goto(`/t/${tenant.slug}/deadlines`);
  await expect(deadlines(page)).toBeVisible();
  await aRequest(ledger, tenant, "req_later");
  const show = page.getByRole("button", { name: "1 new, show" });
  await expect(show).toBeVisible();
  await expect(page.getByRole("link", { name: "req_later" })).toHaveCount(0);
  await show.click();
  await expect(page.getByRole("link", { name: "req_later" })).toBeVisible();
  await page.route("**/api/v1/t/*/deadlines*", (route) => route.fulfill({ status: 500, json: {} }));
  await expect(page.getByRole("alert").filter({ hasText: "Deadlines could not" })).toContainText(
    "The worker does not depend on this page. Nothing was changed.",
  );
});

test("TM-6: zone data names the release in use, who differs and what would move", async ({
  page,
  arranged: { tenant },
}) => {
  await page.goto(`/t/${tenant.slug}/settings`);
  await page.getByRole("link", { name: "Zone data" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Zone data" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Rules in use" })).toContainText("2026f");
  await expect(page.getByRole("region", { name: "Clocks of the platforms" })).toContainText(
    "not measured yet",
  );
  await expectNoAxeFinding(page);
});
