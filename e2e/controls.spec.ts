import { randomUUID } from "node:crypto";
import type { BrowserContext, Page } from "@playwright/test";
import { encode } from "next-auth/jwt";
import { asTenant, connect, type Database } from "@/lib/store/db";
import { recordShadow } from "@/lib/store/shadow";
import {
  anAccount,
  aRequest,
  aTenant,
  operationIn,
  type TestTenant,
} from "@/lib/testing/factories";
import { test as base, complaintsOf, expect, expectNoAxeFinding, postByHand } from "./fixtures";
import { system } from "./system";

interface Crew {
  readonly tenant: TestTenant;
  readonly manager: string;
  readonly first: string;
  readonly second: string;
}

interface Fixtures {
  readonly ledger: Database;
  /** A tenant of its own, so that its switches stop nobody else, with an account manager and two on-call engineers. */
  readonly crew: Crew;
  /** Signs an account in and opens a page of the tenant, in a browser whose clock the test may move. */
  readonly open: (accountId: string, path: string) => Promise<Page>;
}

const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
  ledger: async ({}, use) => {
    const db = connect(system().databaseUrl, { poolMax: 2 });
    await use(db);
    await db.$disconnect();
  },
  crew: async ({ ledger }, use) => {
    const tenant = await aTenant(ledger);
    const [first, second] = [
      await anAccount(ledger, tenant.id, "on_call"),
      await anAccount(ledger, tenant.id, "on_call"),
    ];
    await use({ tenant, manager: tenant.approverId, first, second });
  },
  open: async ({ browser, ledger, crew, viewport }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (accountId, path) => {
      const context = await browser.newContext({ viewport, baseURL: system().url });
      contexts.push(context);
      const sid = randomUUID();
      const expiresAt = new Date(Date.now() + 3_600_000);
      await ledger.session.create({ data: { id: sid, accountId, expiresAt } });
      const secret = system().env.NEXTAUTH_SECRET ?? "";
      const value = await encode({ token: { sub: accountId, sid }, secret });
      await context.addCookies([{ name: "next-auth.session-token", value, url: system().url }]);
      const page = await context.newPage();
      await page.clock.install();
      await page.goto(`/t/${crew.tenant.slug}${path}`);
      return page;
    });
    await Promise.all(contexts.map((context) => context.close()));
  },
});

/** Pauses the tenant's one connection from the header's menu, as the dialog preselects it. */
async function pauseFromMenu(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Account menu" }).click();
  await page.getByRole("menuitem", { name: "Pause…" }).click();
  const dialog = page.getByRole("dialog", { name: `Pause connection ${name}?` });
  await dialog.getByLabel(/^Reason/).fill("5xx storm");
  await Promise.all([
    page.waitForResponse((response) => response.url().endsWith("/pauses")),
    dialog.getByRole("button", { name: `Pause connection ${name}` }).click(),
  ]);
}

test("BL-6: one click and a reason stop a connection, every open page says so in 2 s, and two people open it @390", async ({
  crew: { tenant, manager, first, second },
  ledger,
  open,
}) => {
  // Three people with a browser each.
  test.slow();
  const reader = await open(manager, "/requests");
  const complaints = complaintsOf(reader);
  const page = await open(first, "/requests");
  const name = tenant.connectionName;
  const banner = reader.getByRole("alert").filter({ hasText: `Paused: connection ${name}` });
  // Two seconds by the reader's own clock: a busy machine may need longer for them.
  await reader.clock.pauseAt(Date.now() + 10_000);
  await pauseFromMenu(page, name);
  const asked = reader.waitForResponse((response) => response.url().endsWith("/pulse"));
  await reader.clock.runFor(2_000);
  await asked;
  await reader.clock.resume();
  await expect(banner).toBeVisible();
  await expect(banner).toContainText("5xx storm");
  await expect(banner).toContainText("By on-call engineer");

  await expect(page).toHaveURL(/\/controls$/);
  const held = page.getByRole("article", { name: `Switch: connection ${name}` });
  await expect(held).toContainText(/Workers that confirmed: (\d+) of \1\./);
  await expectNoAxeFinding(page);

  const request = await aRequest(ledger, tenant);
  await operationIn(ledger, tenant, request, "scheduled");
  await expect(held).toContainText("Held 1: 1 extension.");
  await held.getByRole("link", { name: `Resume connection ${name}…` }).click();
  const start = page.getByRole("row", { name: /^Would start now 1 / });
  await expect(start).toBeVisible();
  await expectNoAxeFinding(page);
  await page.getByRole("button", { name: "Ask to resume" }).click();
  await expect(page.getByText("You cannot confirm it yourself")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Resume/ })).toHaveCount(0);
  const address = new URL(page.url()).pathname;
  const pauseId = address.split("/").at(-1) ?? "";
  const byHand = await postByHand(page, `/api/v1/t/${tenant.slug}/pauses/${pauseId}/resumptions`, {
    count: 1,
    hash: "0".repeat(64),
  });
  expect([byHand.status, byHand.body.code]).toEqual([409, "preview_changed"]);

  const other = await open(second, address.replace(`/t/${tenant.slug}`, ""));
  await expect(other.getByRole("row", { name: /^Would start now 1 / })).toBeVisible();
  await other.getByRole("button", { name: `Resume connection ${name}` }).click();
  const dialog = other.getByRole("dialog", { name: `Resume connection ${name}?` });
  await expect(dialog).toContainText("Resuming starts 1 operation");
  await expectNoAxeFinding(other);
  await dialog.getByRole("button", { name: `Resume connection ${name}` }).click();
  await expect(other.getByText(/^Running again since/)).toBeVisible();
  await expect(banner).toHaveCount(0);
  expect(complaints).toEqual([]);
});

test("BL-6: whoever may not pause finds no button for it and is refused by hand", async ({
  crew: { tenant, manager },
  open,
}) => {
  const page = await open(manager, "/controls");
  await expect(
    page.getByRole("heading", { level: 1, name: "Kill switch and modes" }),
  ).toBeVisible();
  await expect(page.getByText("Nothing is paused.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Pause…" })).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Search or jump" }).fill("pause");
  await expect(page.getByText("Nothing here has that name or id.")).toBeVisible();
  const refused = await postByHand(page, `/api/v1/t/${tenant.slug}/pauses`, {
    scope: "tenant",
    reason: "because",
  });
  expect([refused.status, refused.body.code]).toEqual([403, "not_permitted"]);
});

test("GO-1: a kind goes to shadow by one person and to live by two, and the band and the report say so @390", async ({
  crew: { tenant, first, second },
  ledger,
  open,
}) => {
  // Two people with a browser each.
  test.slow();
  const page = await open(first, "/controls");
  await page.getByRole("button", { name: "Change the mode of extend" }).click();
  const change = page.getByRole("dialog", { name: "Change the mode of extend?" });
  await expectNoAxeFinding(page);
  await change.getByRole("button", { name: "Switch extend to shadow" }).click();
  await expect(change.getByText("Give a reason; it becomes part of the history.")).toBeVisible();
  await change.getByLabel(/^Reason/).fill("Compare for a week first.");
  await change.getByRole("button", { name: "Switch extend to shadow" }).click();
  await expect(page.getByRole("note")).toContainText("Shadow: extend.");
  await expect(page.getByText("Switched extend from live to shadow.")).toBeVisible();

  const request = await aRequest(ledger, tenant);
  await asTenant(ledger, tenant.id, (tx) =>
    recordShadow(tx, tenant.id, {
      kind: "extend",
      requestRef: request.ref,
      connectionId: tenant.connectionId,
      canonicalText: "{}",
      payloadHash: "4".repeat(64),
      plannedBy: "user:test",
      dueAt: new Date(Date.now() + 86_400_000),
    }),
  );
  await page.getByRole("link", { name: "Shadow report" }).click();
  await expect(page.getByRole("link", { name: request.ref })).toBeVisible();
  await expectNoAxeFinding(page);
  await page.goBack();

  await page.getByRole("button", { name: "Change the mode of extend" }).click();
  const again = page.getByRole("dialog", { name: "Change the mode of extend?" });
  await again.getByLabel(/^Reason/).fill("Shadow agreed.");
  await again.getByRole("button", { name: "Ask to switch extend to live" }).click();
  await expect(page.getByText("You cannot confirm it yourself.")).toBeVisible();

  const other = await open(second, "/controls");
  await other.getByRole("button", { name: "Switch extend to live…" }).click();
  const live = other.getByRole("dialog", { name: "Let extensions reach the platform?" });
  const confirm = live.getByRole("button", { name: "Switch extend to live" });
  await expect(confirm).toBeDisabled();
  await live.getByLabel("Type extend to go on").fill("extend");
  await expectNoAxeFinding(other);
  await confirm.click();
  await expect(other.getByText("Switched extend from shadow to live.")).toBeVisible();
  await expect(other.getByRole("note")).not.toContainText("Shadow");
});
