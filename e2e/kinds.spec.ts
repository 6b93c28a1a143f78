import type { Browser, Page } from "@playwright/test";
import { SandboxControl } from "@/sandbox/control-client";
import { complaintsOf, expect, expectNoAxeFinding, test } from "./fixtures";
import { system } from "./system";

const VOIDED = "req_7002";
const REMINDED = "req_7001";

type Sql = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** What the platform of the tenant `south` really did with a request (SB-3). */
async function effectsOf(sql: Sql, ref: string, kind: string) {
  const [row] = await sql<{ platform_ref: string }>(
    `SELECT r.platform_ref FROM requests r JOIN tenants t ON t.id = r.tenant_id
      WHERE t.slug = 'south' AND r.ref = $1`,
    [ref],
  );
  if (!row) throw new Error("the demo request is not there");
  const platform = new SandboxControl(system().sandboxUrl);
  return platform.effects("south", { requestId: row.platform_ref, kind });
}

async function openForm(page: Page, ref: string, item: string): Promise<void> {
  await page.goto(`/t/south/requests/${ref}`);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: item }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${item} of ${ref}`);
}

async function giveReason(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: /^Reason/ }).fill("The counterparty asked for it.");
}

/** Waits for the operation that a sent form leads to and returns its id. */
async function proposed(page: Page): Promise<string> {
  await page.waitForURL(/\/operations\/[0-9a-f-]{36}/);
  return /operations\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? "";
}

async function secondPerson(
  browser: Browser,
  signInAs: (person: "SOUTH_AM2", context: Awaited<ReturnType<Browser["newContext"]>>) => unknown,
): Promise<Page> {
  const context = await browser.newContext();
  await signInAs("SOUTH_AM2", context);
  return context.newPage();
}

async function untilConfirmed(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Open operation" }).click();
  await expect(page.locator('[data-state="done"]').first()).toBeVisible({ timeout: 30_000 });
}

test("AP-1 ID-7 C-14: a void is typed twice, approved by another person, confirmed by a read and done once", async ({
  page,
  browser,
  signInAs,
  sql,
}) => {
  // Two people and a worker take turns here, on two shared cores.
  test.slow();
  const complaints = complaintsOf(page);
  await signInAs("SOUTH_AM1");
  await openForm(page, VOIDED, "Propose void");
  await expect(page.getByText("A void cannot be undone. 0 of 1 signer have signed.")).toBeVisible();
  const propose = page.getByRole("button", { name: `Propose void of ${VOIDED}` });
  await expect(propose).toBeDisabled();
  await giveReason(page);
  await page.getByLabel(`Type ${VOIDED} to go on`).fill(VOIDED);
  await expectNoAxeFinding(page);
  await propose.dblclick();
  const opId = await proposed(page);
  await expect(page.getByText("Proposed. It waits for 1 approval.")).toBeVisible();
  await expect(page.getByRole("rowheader", { name: "Status" })).toBeVisible();

  // The first person's page would go on polling beside the second's.
  await page.goto("about:blank");
  const approver = await secondPerson(browser, signInAs);
  await approver.goto(`/t/south/approvals/${opId}`);
  await expect(approver.getByRole("rowheader", { name: "Signers see" })).toBeVisible();
  const approve = approver.getByRole("button", { name: `Approve void of ${VOIDED}` });
  await expect(approve).toBeEnabled();
  await approve.click();
  const dialog = approver.getByRole("dialog", { name: `Approve voiding ${VOIDED}?` });
  await expect(dialog).toContainText("Signers see the reason “The counterparty asked for it.”");
  await expect(dialog).toContainText("A void cannot be undone.");
  const confirm = dialog.getByRole("button", { name: `Approve void of ${VOIDED}` });
  await expect(confirm).toBeDisabled();
  await expectNoAxeFinding(approver);
  await dialog.getByLabel(`Type ${VOIDED} to go on`).fill(VOIDED);
  await confirm.click();
  await expect(approver.getByText(/^Approved by you at/)).toBeVisible();
  await untilConfirmed(approver);
  expect(await effectsOf(sql, VOIDED, "voided")).toHaveLength(1);
  await page.goto(`/t/south/requests/${VOIDED}`);
  await expect(
    page.getByText("This request is voided. Its deadline can no longer change."),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: "More", exact: true })).toHaveCount(0);
  expect(complaints).toEqual([]);
  await approver.context().close();
});

test("RM-1 RM-2: a reminder goes out once, and the next one is refused with its moment and who was last", async ({
  page,
  browser,
  signInAs,
  sql,
}) => {
  // Two people and a worker take turns here, on two shared cores.
  test.slow();
  await signInAs("SOUTH_AM1");
  await openForm(page, REMINDED, "Propose reminder");
  await expect(page.getByRole("checkbox", { name: /^subject s_/ })).toBeChecked();
  await giveReason(page);
  await expectNoAxeFinding(page);
  await page.getByRole("button", { name: "Propose reminder to 1 signer" }).click();
  const opId = await proposed(page);

  // The first person's page would go on polling beside the second's.
  await page.goto("about:blank");
  const approver = await secondPerson(browser, signInAs);
  await approver.goto(`/t/south/approvals/${opId}`);
  const approve = approver.getByRole("button", { name: "Approve reminder to 1 signer" });
  await expect(approve).toBeEnabled();
  await approve.click();
  // The page was the check: no further question (screens 3.26).
  await expect(approver.getByText(/^Approved by you at/)).toBeVisible();
  await untilConfirmed(approver);
  expect(await effectsOf(sql, REMINDED, "reminded")).toHaveLength(1);

  await page.goto(`/t/south/requests/${REMINDED}?tab=reminders`);
  await expect(page.getByRole("table", { name: `Reminders of ${REMINDED}` })).toBeVisible();
  await expectNoAxeFinding(page);
  await openForm(page, REMINDED, "Propose reminder");
  await expect(page.getByText(/Possible from \d{4}-\d\d-\d\d /).first()).toBeVisible();
  await giveReason(page);
  await page.getByRole("button", { name: "Propose reminder to 1 signer" }).click();
  const summary = page.getByRole("alert").filter({ hasText: "to correct" });
  await expect(summary).toBeFocused();
  await expect(summary).toContainText(/Last one .+ ago by .+\. Possible again \d{4}-\d\d-\d\d /);
  const open = await sql(
    "SELECT 1 FROM operations WHERE op_id <> $1 AND kind = 'remind' AND state = 'proposed'",
    [opId],
  );
  expect(open).toEqual([]);
  await approver.context().close();
});

test("ID-4 PV-3: a send is proposed by the digest of its bytes, and its people are in the vault only", async ({
  page,
  signInAs,
  sql,
}) => {
  const complaints = complaintsOf(page);
  await signInAs("SOUTH_AM1");
  await page.goto("/t/south/requests");
  await page.getByRole("link", { name: "Propose a send" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Propose a send");
  const propose = page.getByRole("button", { name: "Propose send to 1 signer" });
  await propose.click();
  const summary = page.getByRole("alert").filter({ hasText: "to correct" });
  await expect(summary).toBeFocused();
  await expectNoAxeFinding(page);
  await page.getByLabel("Our reference").fill("req_by_form");
  const contract = { name: "lease.pdf", mimeType: "application/pdf", buffer: Buffer.from("abc") };
  await page.locator('input[type="file"]').setInputFiles(contract);
  const digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  await expect(page.getByLabel("SHA-256 digest")).toHaveValue(digest);
  await page.getByLabel("Name", { exact: true }).fill("Canary Person");
  await page.getByLabel("E-mail address").fill("canary.person@signers.example");
  await page.getByLabel("Title that signers see").fill("Canary lease");
  await propose.click();
  const opId = await proposed(page);
  await expect(page.getByText("Proposed. It waits for 1 approval.")).toBeVisible();
  const [row] = await sql<{ canonical_text: string; request_ref: string }>(
    "SELECT canonical_text, request_ref FROM operations WHERE op_id = $1",
    [opId],
  );
  expect(row?.request_ref).toBe("req_by_form");
  expect(JSON.parse(row?.canonical_text ?? "{}")).toMatchObject({
    kind: "send",
    documents: [{ digest, version: 1 }],
    signers: [{ role: "signer", order: 1 }],
    reminders: { owner: "application" },
  });
  expect(row?.canonical_text).not.toMatch(/canary|lease\.pdf/i);
  expect(complaints).toEqual([]);
});

test("the forms for every kind work on a narrow screen and are readable by everybody @390", async ({
  page,
  signInAs,
}) => {
  await signInAs("SOUTH_AM1");
  for (const [kind, heading] of [
    ["remind", "Propose reminder"],
    ["resend", "Propose resend"],
    ["expire", "Propose expiry"],
    ["void", "Propose void"],
  ]) {
    await page.goto(`/t/south/requests/${REMINDED}/propose/${kind}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${heading} of ${REMINDED}`);
    await expect(page.getByRole("button", { name: new RegExp(`^${heading}`) })).toBeVisible();
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect(wider).toBe(false);
    await expectNoAxeFinding(page);
  }
  await page.goto("/t/south/requests/new");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Propose a send");
  await expectNoAxeFinding(page);
  await page.goto(`/t/south/requests/${REMINDED}/propose/sign`);
  await expect(page.getByText("There is nothing here, or you may not see it.")).toBeVisible();
});
