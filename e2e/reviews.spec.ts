import type { Browser, Locator, Page } from "@playwright/test";
import { complaintsOf, expect, expectNoAxeFinding } from "./fixtures";
import { type Night, type NightItem, notSearchable, test } from "./night";

const REASON = "The board asked for it and the platform shows it.";

const NOTE = "The counterparty answers in your time zone.";

/** What the timeline says of that night, besides the alerts. */
const STORY = [
  "Opened for",
  "Alert sent to",
  "Acknowledged until",
  "Handed over to",
  NOTE,
  REASON,
  "Second person asked for",
  "Confirmed against the read",
  "Closed",
];

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
  await toReason(page);
}

/** From the first step to the third. */
async function toReason(page: Page): Promise<void> {
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("heading", { name: /^Step 2 of 4/ })).toBeFocused();
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("textbox", { name: "Reason of the decision" })).toBeFocused();
}

/** From the item to its decision by its key, once the page listens. */
async function toDecision(page: Page): Promise<void> {
  await expect(async () => {
    await page.keyboard.press("m");
    await page.waitForURL(/\/decide/, { timeout: 2_000 });
  }).toPass();
}

/** Opens a dialog by its key, once the page listens. */
async function dialogBy(page: Page, key: string, name: string): Promise<Locator> {
  const dialog = page.getByRole("dialog", { name });
  await expect(async () => {
    await page.keyboard.press(key);
    await expect(dialog).toBeVisible({ timeout: 500 });
  }).toPass();
  return dialog;
}

/** More presses of Tab than any of these pages has places to stop at. */
const TABS_MAX = 80;

/** Moves the focus there as somebody without a mouse does. */
async function tabTo(page: Page, target: Locator, key = "Tab"): Promise<void> {
  await expect(target).toBeVisible();
  const reached = () => target.evaluate((element) => element === document.activeElement);
  for (let tabs = 0; !(await reached()) && tabs < TABS_MAX; tabs += 1) {
    await page.keyboard.press(key);
  }
  await expect(target).toBeFocused();
}

async function pressByTab(page: Page, button: Locator, key = "Tab"): Promise<void> {
  await tabTo(page, button, key);
  await page.keyboard.press("Enter");
}

async function asOther(
  browser: Browser,
  night: Night,
  accountId: string,
  viewport: ReturnType<Page["viewportSize"]> = null,
): Promise<Page> {
  const context = await browser.newContext(viewport === null ? {} : { viewport });
  await night.signIn(accountId, context);
  return context.newPage();
}

function pathOf(night: Night, item: Pick<NightItem, "id">, rest = ""): string {
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

test("OB-2 RV-1 RV-3 RV-4: a night by keys alone: the mail, held back, handed over, decided against a read by two, and the timeline tells it @390", async ({
  page,
  context,
  browser,
  ledger,
  night,
}) => {
  test.slow();
  const { first, second } = night.people;
  const login = `${night.slug}@oncall.example`;
  await ledger.account.update({ where: { id: first }, data: { login } });
  const item = await night.item("needs_review");
  const told = () => night.mailsTo(login);
  await expect.poll(async () => (await told()).length, { timeout: 60_000 }).toBe(1);
  const [mail] = await told();
  expect(mail?.text).not.toMatch(/\S@\S/);
  const link = /https?:\/\/\S+/.exec(mail?.text ?? "")?.[0] ?? "";
  expect(link).toMatch(new RegExp(`/t/${night.slug}/reviews/${item.id}$`));
  await night.signIn(first, context);
  await page.goto(link);
  await expect(page.getByText(item.ref).first()).toBeVisible();
  const held = await dialogBy(page, "y", "Acknowledge this item?");
  await pressByTab(page, held.getByRole("button", { name: "Acknowledge item" }));
  await expect(page.locator('[data-state="acknowledged"]').first()).toBeVisible();
  const handing = await dialogBy(page, "h", "Hand this item over?");
  const to = handing.getByRole("combobox", { name: "To", exact: true });
  await tabTo(page, to);
  for (let press = 0; (await to.inputValue()) !== `account:${second}` && press < 20; press += 1) {
    await page.keyboard.press("ArrowDown");
  }
  await expect(to).toHaveValue(`account:${second}`);
  await tabTo(page, handing.getByRole("textbox", { name: "Note" }));
  await page.keyboard.insertText(NOTE);
  await expectNoAxeFinding(page);
  await pressByTab(page, handing.getByRole("button", { name: "Hand over item" }));
  await expect(page.locator('[data-state="claimed"]').first()).toBeVisible();

  const other = await asOther(browser, night, second, page.viewportSize());
  await other.goto(`/t/${night.slug}/reviews?view=mine`);
  await toFirstRow(other);
  await other.keyboard.press("Enter");
  await other.waitForURL(new RegExp(`/reviews/${item.id}$`));
  const story = other.getByRole("region", { name: /^Timeline/ });
  await expect(story).toContainText("Handed over to you");
  await expect(story).toContainText(NOTE);
  await toDecision(other);
  await walkToReason(other, "1");
  await other.keyboard.insertText(REASON);
  await other.keyboard.press("Control+Enter");
  await expect(other.getByRole("heading", { name: /^Step 4 of 4/ })).toBeFocused();
  await other.keyboard.press("Control+Enter");
  const alert = other.getByRole("alert").filter({ hasText: "does not agree" });
  await expect(alert).toContainText("The fresh read does not agree. Nothing was decided.");
  await expect(alert).toContainText("≠");
  await expectNoAxeFinding(other);
  const ask = { name: "Ask a second person to confirm against the read" };
  await pressByTab(other, other.getByRole("button", ask));
  await expect(other.getByText("You cannot confirm it yourself.")).toBeVisible();
  await expect(other.getByText("You decided this first. Someone else must confirm.")).toBeVisible();
  await expect(other.getByRole("button", { name: "Confirm against the read" })).toHaveCount(0);
  await other.context().close();

  await page.goto(`/t/${night.slug}/reviews?view=second_person`);
  await toFirstRow(page);
  await page.keyboard.press("Enter");
  await page.waitForURL(new RegExp(`/reviews/${item.id}$`));
  await toDecision(page);
  await expect(page.getByRole("heading", { name: /^You are asked to confirm/ })).toBeVisible();
  await expect(page.getByText(REASON).first()).toBeVisible();
  await expectNoAxeFinding(page);
  const confirm = page.getByRole("button", { name: "Confirm against the read" });
  await pressByTab(page, confirm);
  await expect(page.getByText("Give a reason; it becomes part of the history.")).toBeVisible();
  await page.getByRole("textbox", { name: "Your own reason" }).focus();
  await page.keyboard.insertText("I saw the new date in the platform's own list.");
  await pressByTab(page, confirm);
  await expect(page.locator('[data-state="closed_override"]').first()).toBeVisible();
  await page.goto(pathOf(night, item));
  for (const act of STORY) {
    await expect(page.getByRole("region", { name: /^Timeline/ })).toContainText(act);
  }
});

test("RC-3 RV-3: of two sends one is kept with a void proposed for the other, one is found by hand, and a lost answer is no second decision", async ({
  page,
  context,
  ledger,
  night,
}) => {
  test.slow();
  await night.signIn(night.people.first, context);
  const double = await night.sentItem("possible_duplicate", 2);
  const key = { tenantId: night.tenant.id, opId: double.opId };
  // The reads of what waits for a person come soon after it opened.
  await ledger.$executeRaw`
    UPDATE review_items SET next_read_at = ledger_now() WHERE id = ${double.id}::uuid`;
  await expect
    .poll(() => ledger.readReceipt.count({ where: { ...key, purpose: "decision" } }), {
      timeout: 60_000,
    })
    .toBe(1);
  const [kept = "", extra = ""] = double.platformRefs;
  await page.goto(pathOf(night, double, "/decide"));
  const keep = page.getByRole("radio", { name: `Keep ${kept}` });
  // The choice shows its references once the page listens.
  await expect(async () => {
    await page.keyboard.press("1");
    await expect(keep).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(page.getByRole("radio", { name: `Keep ${extra}` })).toBeVisible();
  await keep.check();
  await expectNoAxeFinding(page);
  await toReason(page);
  await page.keyboard.insertText(REASON);
  await page.keyboard.press("Control+Enter");
  await page.getByRole("button", { name: "Read and keep this one" }).click();
  await expect(page.getByRole("link", { name: /^Proposed: op/ })).toBeVisible();
  const voids = await ledger.operation.findMany({
    where: { tenantId: night.tenant.id, kind: "void" },
  });
  expect(voids.map(({ state, canonicalText }) => [state, canonicalText.includes(extra)])).toEqual([
    ["proposed", true],
  ]);

  await notSearchable(ledger, night);
  const single = await night.sentItem("no_lookup", 1);
  await page.goto(pathOf(night, single, "/decide"));
  const found = page.getByLabel("I found it: the platform's reference");
  await expect(async () => {
    await page.keyboard.press("1");
    await expect(found).toBeVisible({ timeout: 500 });
  }).toPass();
  await found.fill(single.platformRefs[0] ?? "");
  await toReason(page);
  await page.keyboard.insertText(REASON);
  await page.keyboard.press("Control+Enter");
  await page.route("**/decisions", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Read and record as applied" }).click();
  await expect(page.getByRole("status").filter({ hasText: "recorded as applied" })).toBeVisible();
  expect(await ledger.decision.count({ where: { itemId: single.id } })).toBe(1);
  const done = await ledger.operation.findUniqueOrThrow({
    where: { tenantId_opId: { tenantId: night.tenant.id, opId: single.opId } },
  });
  expect([done.state, done.platformRef]).toEqual(["done", single.platformRefs[0]]);
});

test("RV-3: many items are decided by keys alone on a frozen list, and proven, not proven and not attempted add up", async ({
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
  await pressByTab(page, page.getByRole("button", { name: `Decide ${MANY}…` }), "Shift+Tab");
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
  await tabTo(page, page.getByRole("radio", { name: /Record as applied/ }));
  await page.keyboard.press("Space");
  await tabTo(page, page.getByRole("textbox", { name: "Reason of the decision" }));
  await page.keyboard.insertText(REASON);
  await expect(page.getByText(new RegExp(`^Reads needed ${MANY}`))).toBeVisible();
  await expectNoAxeFinding(page);
  await pressByTab(page, page.getByRole("button", { name: `Decide ${MANY} items` }));
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

  const shift = page.getByRole("group", { name: "Add a shift" });
  const add = shift.getByRole("button", { name: "Add shift" });
  await shift.getByLabel("Person").selectOption(`account:${night.people.second}`);
  await add.click();
  await expect(page.getByText("Give both moments.")).toBeVisible();
  await shift.getByLabel("From (UTC)").fill("2026-01-01T00:00");
  await shift.getByLabel("To (UTC)").fill("2099-01-01T00:00");
  await add.click();
  await expect(page.getByText("The rota is changed.")).toBeVisible();
  const shifts = page.getByRole("table", { name: /^Shifts that run/ });
  await expect(shifts.getByRole("row").nth(1)).toContainText(", on call now");
  await expectNoAxeFinding(page);

  const other = await asOther(browser, night, night.people.first);
  await other.goto(`/t/${night.slug}/settings/routing`);
  await expect(other.getByRole("table", { name: /^Routing rules/ })).toContainText("The admins");
  await expect(other.getByRole("button", { name: /Save|Add/ })).toHaveCount(0);
  await expectNoAxeFinding(other);
  await other.context().close();
});
