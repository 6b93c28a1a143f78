import { randomUUID } from "node:crypto";
import type { BrowserContext } from "@playwright/test";
import { encode } from "next-auth/jwt";
import { connect, type Database } from "@/lib/store/db";
import { anAccount, aTenant } from "@/lib/testing/factories";
import { complaintsOf, expect, expectNoAxeFinding, test } from "./fixtures";
import { system } from "./system";

let ledger: Database;
test.beforeAll(() => {
  ledger = connect(system().databaseUrl, { poolMax: 2 });
});
test.afterAll(() => ledger.$disconnect());

/** Signs an account in within a browser context. */
async function signIn(context: BrowserContext, accountId: string): Promise<void> {
  const sid = randomUUID();
  const expiresAt = new Date(Date.now() + 3_600_000);
  await ledger.session.create({ data: { id: sid, accountId, expiresAt } });
  const secret = system().env.NEXTAUTH_SECRET ?? "";
  const value = await encode({ token: { sub: accountId, sid }, secret });
  await context.addCookies([{ name: "next-auth.session-token", value, url: system().url }]);
}

/** A tenant of its own, so that its policies bind nobody else, with an admin. */
async function aTenantWithAdmin() {
  const tenant = await aTenant(ledger);
  return { ...tenant, admin: await anAccount(ledger, tenant.id, "admin") };
}

test("AP-2: an admin sees old and new before saving, the version is added and everybody reads it @390", async ({
  page,
  context,
  browser,
  viewport,
}) => {
  const { id, slug, admin, approverId } = await aTenantWithAdmin();
  const complaints = complaintsOf(page);
  await signIn(context, admin);
  await page.goto(`/t/${slug}/settings`);
  await page.getByRole("link", { name: "Policies" }).click();
  await page.getByRole("link", { name: "Resend", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Policy: resend" })).toBeVisible();
  await expectNoAxeFinding(page);

  const save = page.getByRole("button", { name: "Save version 2" });
  await expect(save).toBeDisabled();
  const hours = page.getByLabel(/^A proposal waits for its approvals/);
  await hours.fill("48");
  await hours.blur();
  const difference = page.getByRole("table", { name: "What saving changes" });
  await expect(difference.getByRole("row")).toHaveCount(2);
  await expect(difference).toContainText("24 hours");
  await expect(difference).toContainText("48 hours");
  await expect(page.getByText("Applies to new proposals.")).toBeVisible();
  await expectNoAxeFinding(page);
  await save.click();
  await expect(page.getByRole("status").getByText("Version 2 holds")).toBeVisible();
  const versions = page.getByRole("table", { name: "Versions" });
  await expect(versions.getByRole("row").filter({ hasText: "v2" })).toContainText("you");
  expect(await ledger.controlEvent.count({ where: { tenantId: id, kind: "policy_saved" } })).toBe(
    1,
  );

  const other = await browser.newContext({ viewport, baseURL: system().url });
  await signIn(other, approverId);
  const reader = await other.newPage();
  await reader.goto(`/t/${slug}/settings/policies/resend`);
  await expect(reader.getByText("Only an admin writes the next version.")).toBeVisible();
  await expect(reader.getByRole("button", { name: /^Save version/ })).toHaveCount(0);
  await expectNoAxeFinding(reader);
  await other.close();
  expect(complaints).toEqual([]);
});

test("AP-2: a policy that nobody could meet is refused with the focus on what to correct", async ({
  page,
  context,
}) => {
  const { slug, admin } = await aTenantWithAdmin();
  await signIn(context, admin);
  await page.goto(`/t/${slug}/settings/policies/void`);
  const approvers = page.getByRole("group", { name: "Who may approve" });
  await approvers.getByLabel("compliance officer").check();
  await approvers.getByLabel("account manager").uncheck();
  await page.getByRole("button", { name: "Save version 2" }).click();
  const summary = page.getByRole("alert").filter({ hasText: "One thing to correct" });
  await expect(summary).toBeFocused();
  await expectNoAxeFinding(page);
});
