import type { Browser, Page } from "@playwright/test";
import { complaintsOf, expect, expectNoAxeFinding } from "./fixtures";
import { type Night, type NightItem, test } from "./night";

const REASON = "The board asked for it and the platform shows it.";

/** As many as one page of the queue holds. */
const MANY = 50;

/** Moves the focus to the first row; the keys work once the page listens. */
async function toFirstRow(page: Page): Promise<void> {
  const row = page.locator("[data-row]").first();
  await expect(async () => {
    await page.keyboard.press("j");
    await expect(row).toBeFocused({ timeout: 500 });
  }).toPass();
}

/** From the choice to the reason, by keys alone. */
async function walkToReason(page: Page, option: string): Promise<void> {
  await expect(async () => {
    await page.keyboard.press(option);
    await expect(
      page
        .getByRole("main")
        .getByRole("radio")
        .nth(Number(option) - 1),
    ).toBeChecked({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("heading", { name: /^Step 2 of 4/ })).toBeFocused();
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("textbox", { name: "Reason of the decision" })).toBeFocused();
}

async function asOther(browser: Browser, night: Night, accountId: string): Promise<Page> {
  const context = await browser.newContext();
  await night.signIn(accountId, context);
  return context.newPage();
}

function pathOf(night: Night, item: NightItem, rest = ""): string {
  return `/t/${night.slug}/reviews/${item.id}${rest}`;
}

test("RV-2 RV-3 RV-4: on-call takes an item and decides it with keys alone, a fresh read agrees, and the story is told", async ({
  page,
  context,
  ledger,
  night,
}) => {
  test.slow();
  const complaints = complaintsOf(page);
  const item = await night.item("needs_review");
  await night.setExpiry(item, item.target);
  await night.signIn(night.people.first, context);
  await page.goto(`/t/${night.slug}/reviews?view=mine`);
  await expect(page.getByText(/^Next loss:/)).toContainText(item.ref);
  await expectNoAxeFinding(page);
  await toFirstRow(page);
  await page.keyboard.press("a");
  await expect(page.getByText("It is yours.")).toBeVisible();
  await expect(page.locator('[data-state="claimed"]')).toHaveText("In work");
  await expect(page.locator("[data-row]").first()).toBeFocused();
  await page.keyboard.press("Enter");
  await page.waitForURL(new RegExp(`/reviews/${item.id}$`));
  await expect(page.getByRole("region", { name: "Difference" })).toContainText(/Same: \d fields/);
  await expectNoAxeFinding(page);
  await expect(async () => {
    await page.keyboard.press("m");
    await page.waitForURL(/\/decide/, { timeout: 2_000 });
  }).toPass();
  await expectNoAxeFinding(page);
  await walkToReason(page, "1");
  await page.keyboard.insertText("Ask pat@example.com about this one.");
  await page.keyboard.press("Control+Enter");
  await expect(
    page.getByText("Leave personal data out; the reason stays in the history.").first(),
  ).toBeVisible();
  const reason = page.getByRole("textbox", { name: "Reason of the decision" });
  await reason.fill("");
  await page.keyboard.press("Control+Enter");
  await expect(
    page.getByText("Give a reason; it becomes part of the history.").first(),
  ).toBeVisible();
  await expectNoAxeFinding(page);
  // What was typed outlives a reload, as it outlives a sign-in in between.
  await reason.fill(REASON);
  await page.reload();
  await expect(reason).toHaveValue(REASON);
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("button", { name: "Read and record as applied" })).toBeVisible();
  await expectNoAxeFinding(page);
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("status").filter({ hasText: "recorded as applied" })).toBeVisible();
  await expect(page.locator('[data-state="closed_proven"]').first()).toHaveText("Closed, proven");
  const kept = await ledger.reviewItem.findFirstOrThrow({
    where: { tenantId: night.tenant.id, id: item.id },
  });
  expect(kept.status).toBe("closed_proven");
  await page.goto(pathOf(night, item));
  const timeline = page.getByRole("region", { name: /^Timeline/ });
  await expect(timeline).toContainText("Assigned to you");
  await expect(timeline).toContainText("Decision: recorded as applied");
  await expect(timeline).toContainText(REASON);
  await expect(page.getByRole("link", { name: "Decide…" })).toHaveCount(0);
  expect(complaints).toEqual([]);
});

test("OB-2 RV-1: on-call gets one mail about what waits, without personal data, and its link leads there", async ({
  page,
  context,
  ledger,
  night,
}) => {
  test.slow();
  const login = `${night.slug}@oncall.example`;
  await ledger.account.update({ where: { id: night.people.first }, data: { login } });
  const items = [await night.item("needs_review"), await night.item("needs_review")];
  const told = () => night.mailsTo(login);
  await expect.poll(async () => (await told()).length, { timeout: 60_000 }).toBe(1);
  const [mail] = await told();
  expect(mail?.text).not.toMatch(/\S@\S/);
  const link = /https?:\/\/\S+/.exec(mail?.text ?? "")?.[0] ?? "";
  expect(link).toContain(`/t/${night.slug}/reviews`);
  await night.signIn(night.people.first, context);
  await page.goto(link);
  for (const { ref } of items) await expect(page.getByText(ref).first()).toBeVisible();
});

test("RV-3: a read that disagrees decides nothing, and only a second person confirms against it", async ({
  page,
  context,
  browser,
  ledger,
  night,
}) => {
  test.slow();
  const item = await night.item("needs_review");
  await night.signIn(night.people.first, context);
  await page.goto(pathOf(night, item, "/decide"));
  await walkToReason(page, "1");
  await page.keyboard.insertText(REASON);
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("heading", { name: /^Step 4 of 4/ })).toBeFocused();
  await page.keyboard.press("Control+Enter");
  const alert = page.getByRole("alert").filter({ hasText: "does not agree" });
  await expect(alert).toContainText("The fresh read does not agree. Nothing was decided.");
  await expect(alert.getByRole("table", { name: "What the fresh read shows" })).toContainText("≠");
  await expectNoAxeFinding(page);
  await page
    .getByRole("button", { name: "Ask a second person to confirm against the read" })
    .click();
  await expect(page.getByText("You cannot confirm it yourself.")).toBeVisible();
  await expect(page.getByText("You decided this first. Someone else must confirm.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Confirm against the read" })).toHaveCount(0);
  await expectNoAxeFinding(page);
  await page.goto("about:blank");

  const second = await asOther(browser, night, night.people.second);
  await second.goto(`/t/${night.slug}/reviews?view=second_person`);
  await second.locator("[data-row]").first().click();
  await second.getByRole("link", { name: "Look at the decision" }).click();
  await expect(second.getByRole("heading", { name: /^You are asked to confirm/ })).toBeVisible();
  await expect(second.getByText(REASON).first()).toBeVisible();
  await expectNoAxeFinding(second);
  const confirm = second.getByRole("button", { name: "Confirm against the read" });
  await confirm.click();
  await expect(second.getByText("Give a reason; it becomes part of the history.")).toBeVisible();
  await second
    .getByRole("textbox", { name: "Your own reason" })
    .fill("I saw the new date in the platform's own list.");
  await confirm.click();
  await expect(second.locator('[data-state="closed_override"]').first()).toHaveText(
    "Closed, overridden",
  );
  const kept = await ledger.reviewItem.findFirstOrThrow({
    where: { tenantId: night.tenant.id, id: item.id },
  });
  expect(kept.status).toBe("closed_override");
  await second.context().close();
});

test("RV-3: many items are decided on a frozen list, and proven, not proven and not attempted add up", async ({
  page,
  context,
  ledger,
  night,
}) => {
  test.slow();
  const items: NightItem[] = [];
  for (let count = 0; count < MANY; count += 1) items.push(await night.item("needs_review"));
  const [disagrees, gone, ...agreeing] = items;
  for (const item of agreeing) await night.setExpiry(item, item.target);
  await night.signIn(night.people.first, context);
  await page.goto(`/t/${night.slug}/reviews?view=all`);
  await toFirstRow(page);
  await page.keyboard.press("Shift+X");
  await expect(page.getByText(`${MANY} selected on this page`)).toBeVisible();
  await expectNoAxeFinding(page);
  await page.getByRole("button", { name: `Decide ${MANY}…` }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Decide ${MANY} items`);
  await ledger.operation.update({
    where: { tenantId_opId: { tenantId: night.tenant.id, opId: gone?.opId ?? "" } },
    data: {
      state: "obsolete",
      reason: "decided_not_needed",
      eventActor: `user:${night.tenant.approverId}`,
      eventEvidence: "{}",
    },
  });
  await page.getByRole("radio", { name: /Record as applied/ }).check();
  await page.getByRole("textbox", { name: "Reason of the decision" }).fill(REASON);
  await expect(page.getByText(new RegExp(`^Reads needed ${MANY}`))).toBeVisible();
  await expectNoAxeFinding(page);
  await page.getByRole("button", { name: `Decide ${MANY} items` }).click();
  const progress = page.getByRole("region", { name: "Progress" });
  await expect(progress).toContainText(`All ${MANY} through.`, { timeout: 60_000 });
  await expect(progress).toContainText(`Proven and closed ${MANY - 2}`);
  await expect(progress).toContainText("Not proven, still open 1");
  await expect(progress).toContainText("Not attempted 1");
  const row = page.locator('[data-result="not_proven"]');
  await expect(row).toContainText(disagrees?.ref ?? "");
  await expectNoAxeFinding(page);
});

test("RV-1 RV-3: what is closed says why, an item is held back with a reason, and every page fits a narrow screen @390", async ({
  page,
  context,
  night,
}) => {
  test.slow();
  const item = await night.item("quarantined");
  await night.signIn(night.people.first, context);
  const paths = ["", "/decide"].map((rest) => pathOf(night, item, rest));
  for (const path of [`/t/${night.slug}/reviews?view=all`, ...paths]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectNoAxeFinding(page);
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect([path, wider]).toEqual([path, false]);
  }
  await expect(page.getByRole("radio", { name: /Schedule again/ })).toBeDisabled();
  await expect(page.getByText("A quarantined operation is never scheduled again.")).toBeVisible();
  await page.goto(pathOf(night, item));
  await page.getByRole("button", { name: "Snooze…" }).click();
  const dialog = page.getByRole("dialog", { name: "Snooze this item?" });
  await dialog.getByRole("button", { name: "Snooze item" }).click();
  await expect(dialog).toContainText("Give a reason; it becomes part of the history.");
  await expectNoAxeFinding(page);
  await dialog.getByRole("textbox", { name: "Reason" }).fill("The platform answers tomorrow.");
  await dialog.getByRole("button", { name: "Snooze item" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.locator('[data-state="snoozed"]').first()).toHaveText("Snoozed");
  await page.goto(`/t/${night.slug}/reviews?view=snoozed`);
  await expect(page.getByRole("row").filter({ hasText: item.ref })).toBeVisible();
});

test("RV-1: an admin routes a reason, the test box answers before and after, and others only read", async ({
  page,
  context,
  browser,
  night,
}) => {
  await night.signIn(night.people.admin, context);
  await page.goto(`/t/${night.slug}/settings/routing`);
  const answer = page.getByRole("status").filter({ hasText: "would get" });
  // The box answers once the page listens.
  await expect(async () => {
    await page.getByLabel("Reason").last().selectOption("possible_duplicate");
    await expect(answer).toContainText("The on-call team would get possible_duplicate", {
      timeout: 500,
    });
  }).toPass();
  await page.getByRole("button", { name: "Add a rule" }).click();
  const rule = page.getByRole("group", { name: "Rule 1" });
  await rule.getByLabel("Reason").selectOption("possible_duplicate");
  await page.getByRole("button", { name: "Save 1 rule" }).click();
  await expect(page.getByText("Rule 1: choose who gets it.").first()).toBeVisible();
  await expectNoAxeFinding(page);
  await rule.getByLabel("Goes to").selectOption("team:compliance");
  await expect(answer).toContainText("Compliance would get possible_duplicate");
  await page.getByRole("button", { name: "Save 1 rule" }).click();
  // Nobody in this tenant is in that team, so reasons would be left without anybody.
  await expect(page.getByRole("alert").filter({ hasText: "to correct" })).toBeVisible();
  await rule.getByLabel("Reason").selectOption("any");
  await rule.getByLabel("Goes to").selectOption("team:admins");
  await page.getByRole("button", { name: "Save 1 rule" }).click();
  await expect(page.getByText(/^Saved\. Open items/)).toBeVisible();
  await expectNoAxeFinding(page);

  const other = await asOther(browser, night, night.people.first);
  await other.goto(`/t/${night.slug}/settings/routing`);
  await expect(other.getByRole("table", { name: /^Routing rules/ })).toContainText("The admins");
  await expect(other.getByRole("button", { name: /Save|Add/ })).toHaveCount(0);
  await expectNoAxeFinding(other);
  await other.context().close();
});
