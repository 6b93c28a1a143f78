import { anAccount, aRequest, operationIn } from "@/lib/testing/factories";
import { expect, expectNoAxeFinding } from "./fixtures";
import { test } from "./night";

const IN_TEN_DAYS = 10 * 86_400_000;

test("PV-1 C-36: an admin adds, demotes and removes members and ends a session, and each loses access at once", async ({
  page,
  context,
  browser,
  ledger,
  night,
}) => {
  const { slug, tenant, people } = night;
  const settings = `/t/${slug}/settings`;
  const compliance = await anAccount(ledger, tenant.id, "compliance");
  const request = await aRequest(ledger, tenant);
  const dueAt = new Date(Date.now() + IN_TEN_DAYS);
  const opId = await operationIn(ledger, tenant, request, "scheduled", { columns: { dueAt } });

  const theirs = await browser.newContext();
  const watching = await theirs.newPage();
  await night.signIn(tenant.approverId, theirs);
  await watching.goto(`/t/${slug}/operations`);
  await expect(watching.getByRole("heading", { level: 1 })).toHaveText("Operations");

  await night.signIn(people.admin, context);
  await page.goto(settings);
  await page.getByRole("link", { name: "Members" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Members");
  const rows = page.getByRole("table", { name: "Members" }).getByRole("row");
  await expect(rows).toHaveCount(7);
  await expectNoAxeFinding(page);
  await page.getByLabel("Signs in as").fill(`new-${slug}@north.example`);
  await page.getByLabel("Role").selectOption("on_call");
  await page.getByRole("button", { name: "Add as on-call engineer" }).press("Enter");
  await expect(page.getByText("Added as on-call engineer.")).toBeVisible();
  await expect(rows).toHaveCount(8);

  await page.getByRole("link", { name: accountWords(tenant.approverId) }).click();
  await expect(page.getByRole("region", { name: "Open sessions" })).toContainText("password");
  await page.getByRole("button", { name: "Remove member" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove this member?" });
  await expect(dialog).toContainText(
    "Acts at once. 1 operation approved and not yet started goes to review.",
  );
  await dialog.getByRole("button", { name: "Remove member" }).press("Enter");
  await expect(page.getByText("The member is removed. 1 operation went to review.")).toBeVisible();
  await expect(watching).toHaveURL(/\/tenants\?ended=1$/);
  await expect(watching.getByText("You no longer have access to that tenant.")).toBeVisible();
  const lost = await ledger.operation.findFirstOrThrow({ where: { opId } });
  expect(lost).toMatchObject({ state: "needs_review", reason: "authorization_lost" });

  await night.signIn(people.first, theirs);
  await watching.goto(`/t/${slug}/system`);
  await page.goto(`${settings}/members/${people.first}`);
  await page.getByLabel("Role").selectOption("account_manager");
  await page.getByRole("button", { name: "Change to account manager" }).click();
  const change = page.getByRole("dialog", { name: "Make this member an account manager?" });
  await change.getByRole("button", { name: "Change to account manager" }).press("Enter");
  await expect(page.getByText(/^Changed to account manager\./)).toBeVisible();
  expect((await watching.reload())?.status()).toBe(404);
  await page.getByRole("button", { name: "End session" }).click();
  const end = page.getByRole("dialog", { name: "End this session?" });
  await end.getByRole("button", { name: "End session" }).press("Enter");
  await expect(page.getByText("Session ended.")).toBeVisible();
  await watching.goto(`/t/${slug}/operations`);
  await expect(watching).toHaveURL(/\/sign-in\?callbackUrl=/);
  await expectNoAxeFinding(page);

  await page.goto(`${settings}/members/${people.admin}`);
  await expect(page.getByText("This is the last admin")).toBeVisible();
  await expect(page.getByRole("button", { name: "Remove member" })).toHaveCount(0);
  await night.signIn(compliance, theirs);
  await watching.goto(`${settings}/members`);
  await expect(watching.getByText(accountWords(people.admin))).toBeVisible();
  await expect(watching.getByRole("link", { name: accountWords(people.admin) })).toHaveCount(0);
  await expect(watching.getByRole("button", { name: /^Add as/ })).toHaveCount(0);
  await theirs.close();
});

function accountWords(accountId: string): string {
  return `Account ${accountId.slice(0, 8)}`;
}
