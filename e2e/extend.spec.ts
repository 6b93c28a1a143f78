import type { Page } from "@playwright/test";
import { complaintsOf, expect, expectNoAxeFinding, postByHand, test } from "./fixtures";

/** Opens the form for a new deadline and waits until it works. */
async function openForm(page: Page, ref: string): Promise<void> {
  await page.goto(`/t/north/requests/${ref}/propose/extend`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Propose extension of ${ref}`);
  await page.getByLabel("+14 days").check();
  await expect(page.getByRole("button", { name: /^Propose extension to / })).toBeEnabled();
}

interface Words {
  readonly date: string;
  readonly time: string;
  readonly zone?: string;
}

async function enter(page: Page, { date, time, zone }: Words): Promise<void> {
  if (zone !== undefined) {
    await page.locator("#deadline-zone").fill(zone);
    await page.getByRole("option", { name: zone, exact: true }).click();
  }
  await page.getByLabel("Date", { exact: true }).fill(date);
  await page.keyboard.press("Escape");
  await page.getByLabel("Time", { exact: true }).fill(time);
}

async function giveReason(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: /^Reason/ }).fill("The board meets a week later.");
}

/** Proposes and returns the id of the operation. */
async function propose(page: Page): Promise<string> {
  await page.getByRole("button", { name: /^Propose extension to / }).click();
  await page.waitForURL(/\/operations\/[0-9a-f-]{36}/);
  return /operations\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? "";
}

function approveButton(page: Page) {
  return page.getByRole("button", { name: /^Approve extension to / });
}

test("AP-1 TM-3: an extension is proposed as an instant, approved by another person and confirmed by a read", async ({
  page,
  browser,
  signInAs,
  sql,
}) => {
  // Two people and a worker take turns here, on two shared cores.
  test.slow();
  const complaints = complaintsOf(page);
  await signInAs("AM1");
  await openForm(page, "req_7005");
  await expectNoAxeFinding(page);
  await giveReason(page);
  const opId = await propose(page);
  const [stored] = await sql<{ canonical_text: string }>(
    "SELECT canonical_text FROM operations WHERE op_id = $1",
    [opId],
  );
  expect(stored?.canonical_text).not.toMatch(/days|\+14/);

  await page.goto(`/t/north/approvals/${opId}`);
  await expect(
    page.getByText("You proposed or edited this. Another person must approve."),
  ).toBeVisible();
  await expect(approveButton(page)).toHaveCount(0);

  const other = await browser.newContext();
  await signInAs("AM2", other);
  const approver = await other.newPage();
  await approver.goto(`/t/north/approvals/${opId}`);
  for (const name of ["What changes", "Read against", "Exact payload", "Rule"]) {
    await expect(approver.getByRole("heading", { name: new RegExp(name) })).toBeVisible();
  }
  await expect(approver.getByText(/by this page/)).toBeVisible();
  await expect(
    approver.getByText(/No conditional update\. We read, change, read again\./),
  ).toBeVisible();
  await expect(approver.getByText("The board meets a week later.")).toBeVisible();
  await expect(approveButton(approver)).toBeEnabled();
  await expectNoAxeFinding(approver);
  await approveButton(approver).click();
  await expect(
    approver.getByText(/^Approved by you at \d\d:\d\d:\d\dZ\. It starts when it is due\./),
  ).toBeVisible();
  await expect(approveButton(approver)).toHaveCount(0);
  await approver.getByRole("link", { name: "Open operation" }).click();
  await expect(approver.locator('[data-state="done"]').first()).toBeVisible({ timeout: 30_000 });
  expect(complaints).toEqual([]);
  await other.close();
});

test("TM-2 C-21: a time that does not exist asks a question with nothing chosen, and cannot be proposed before", async ({
  page,
  signInAs,
}) => {
  await signInAs("AM1");
  await openForm(page, "req_7001");
  await enter(page, { date: "14 Mar 2027", time: "02:30", zone: "America/New_York" });
  await giveReason(page);
  const sentence =
    "02:30 does not exist on 14 Mar 2027 in America/New_York. Clocks go from 01:59:59 to 03:00.";
  await expect(page.getByText(sentence).first()).toBeVisible();
  const before = page.getByLabel(/^Last second before: 14 Mar 2027, 01:59:59 EST/);
  const after = page.getByLabel(/^First moment after: 14 Mar 2027, 03:00 EDT .*07:00Z/);
  await expect(before).not.toBeChecked();
  await expect(after).not.toBeChecked();
  await page.getByRole("button", { name: "Propose extension" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "to correct" })).toContainText(
    "Answer the question about the time first.",
  );
  await expect(page).toHaveTitle(/^Error: /);
  await after.check();
  await expect(page.getByRole("button", { name: /to 14 Mar 2027, 03:00 EDT$/ })).toBeVisible();
});

test("TM-2 C-22 AP-1: the answer to a time that happens twice is repeated on the approval", async ({
  page,
  signInAs,
}) => {
  await signInAs("AM1");
  await openForm(page, "req_7003");
  await enter(page, { date: "2027-10-31", time: "01:45", zone: "Europe/London" });
  await expect(
    page.getByText("01:45 happens twice on 31 Oct 2027 in Europe/London.").first(),
  ).toBeVisible();
  await page.getByLabel(/^First: 01:45 BST/).check();
  await giveReason(page);
  const opId = await propose(page);
  await page.goto(`/t/north/approvals/${opId}`);
  await expect(page.getByText("Chosen: the first 01:45.").first()).toBeVisible();
  await expect(page.getByText("2027-10-31 00:45Z").first()).toBeVisible();
});

test("TM-3: a deadline before the present expiry is refused on top of the form and the input is kept", async ({
  page,
  signInAs,
}) => {
  await signInAs("AM1");
  await openForm(page, "req_7002");
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await enter(page, { date: tomorrow, time: "09:15" });
  await giveReason(page);
  await page.getByRole("button", { name: /^Propose extension to / }).click();
  const summary = page.getByRole("alert").filter({ hasText: "to correct" });
  await expect(summary).toBeFocused();
  await expect(summary).toContainText("an extension must be later");
  await expect(page).toHaveTitle(/^Error: /);
  await expect(page.getByLabel("Time", { exact: true })).toHaveValue("09:15");
  await expect(page.getByRole("textbox", { name: /^Reason/ })).toHaveValue(/board/);
});

test("AP-2 C-30: an edit while the approver reads takes the button away and shows the difference", async ({
  page,
  browser,
  signInAs,
  sql,
}) => {
  // Two people and a worker take turns here, on two shared cores.
  test.slow();
  await signInAs("AM1");
  await openForm(page, "req_7001");
  await giveReason(page);
  const opId = await propose(page);
  const refused = await shownHash(sql, opId);
  const own = await postByHand(page, `/api/v1/t/north/operations/${opId}/approvals`, refused);
  expect(own).toMatchObject({ status: 403, body: { code: "same_person" } });

  const other = await browser.newContext();
  await signInAs("AM2", other);
  const approver = await other.newPage();
  await approver.goto(`/t/north/approvals/${opId}`);
  await expect(approveButton(approver)).toBeEnabled();
  const edited = await postByHand(page, `/api/v1/t/north/operations/${opId}/versions`, {
    version: 1,
    date: "2027-06-30",
    time: "12:00",
    zone: "Europe/Berlin",
    reason: "The board moved its meeting.",
  });
  expect(edited.status).toBe(200);
  await expect(approver.getByText("This proposal changed while you were reading.")).toBeVisible();
  await expect(
    approver.getByText(/You saw version 1, now it is version 2\. Changed: deadline/),
  ).toBeVisible();
  await expect(approveButton(approver)).toHaveCount(0);
  const stale = await postByHand(approver, `/api/v1/t/north/operations/${opId}/approvals`, refused);
  expect(stale).toMatchObject({ status: 409, body: { code: "approval_stale" } });
  expect(await sql("SELECT 1 FROM approvals WHERE op_id = $1", [opId])).toEqual([]);
  await approver.getByRole("button", { name: "Review version 2" }).click();
  await expect(
    approver.getByRole("button", { name: "Approve extension to 30 Jun 2027, 12:00 CEST" }),
  ).toBeEnabled();
  await approver.getByRole("button", { name: "Reject…" }).click();
  const dialog = approver.getByRole("dialog");
  await dialog.getByRole("button", { name: "Reject extension" }).click();
  await expect(dialog.getByText("Give a reason; it becomes part of the history.")).toBeVisible();
  await dialog.getByRole("textbox").fill("The counterparty did not agree.");
  await dialog.getByRole("button", { name: "Reject extension" }).click();
  await expect(approver.getByText(/^Rejected by you at/)).toBeVisible();
  await other.close();
});

async function shownHash(
  sql: <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>,
  opId: string,
): Promise<{ version: number; hash: string }> {
  const [row] = await sql<{ version: number; hash: string }>(
    "SELECT version, payload_hash AS hash FROM operations WHERE op_id = $1",
    [opId],
  );
  if (!row) throw new Error("the operation is not there");
  return row;
}

test("C-38: a deadline reads the same in server HTML and after hydration in every viewer's zone", async ({
  browser,
  signInAs,
}) => {
  for (const timezoneId of ["Asia/Tokyo", "America/New_York"]) {
    const context = await browser.newContext({ timezoneId });
    await signInAs("AM1", context);
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    const html = await (await page.request.get("/t/north/requests/req_7002")).text();
    const words = /\d{1,2} \w{3} \d{4}, 17:00 P[SD]T \(America\/Los_Angeles\)/.exec(html)?.[0];
    expect(words).toBeDefined();
    await page.goto("/t/north/requests/req_7002");
    await expect(page.getByText(words ?? "").first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Read again" })).toBeEnabled();
    expect(complaints).toEqual([]);
    await context.close();
  }
});

test("the lists, a request and an approval work on a narrow screen without sideways scrolling @390", async ({
  page,
  signInAs,
}) => {
  await signInAs("AM1");
  for (const path of [
    "requests",
    "requests/req_7001",
    "requests/req_7001?tab=signers",
    "approvals",
  ]) {
    await page.goto(`/t/north/${path}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect(wider).toBe(false);
    await expectNoAxeFinding(page);
  }
});
