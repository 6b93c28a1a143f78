import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Browser } from "@playwright/test";
import { anAccount } from "@/lib/testing/factories";
import { projectRoot } from "@/workers/launch/root";
import { complaintsOf, expect, expectNoAxeFinding, postByHand } from "./fixtures";
import { type Night, test } from "./night";

const DAY_MS = 86_400_000;

type Sql = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** An extension that the first account manager proposed and `approverId` approved, once the platform confirmed it. */
async function anExtension(night: Night, browser: Browser, sql: Sql, approverId: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const { ref } = await night.request();
  const api = `/api/v1/t/${night.slug}`;
  await night.signIn(night.tenant.proposerId, context);
  const proposed = await postByHand(page, `${api}/requests/${ref}/extensions`, {
    approvalId: randomUUID(),
    reason: "The board meets a week later.",
    date: new Date(Date.now() + 20 * DAY_MS).toISOString().slice(0, 10),
    time: "17:00",
    zone: "Europe/Berlin",
  });
  expect(proposed.status).toBe(200);
  const opId = String(proposed.body.opId);
  const [shown] = await sql<{ version: number; hash: string }>(
    "SELECT version, payload_hash AS hash FROM operations WHERE op_id = $1",
    [opId],
  );
  await night.signIn(approverId, context);
  expect((await postByHand(page, `${api}/operations/${opId}/approvals`, shown)).status).toBe(200);
  await expect
    .poll(() => sql("SELECT state FROM operations WHERE op_id = $1", [opId]), { timeout: 30_000 })
    .toEqual([{ state: "done" }]);
  await context.close();
  return { opId, short: opId.slice(0, 8) };
}

test("SM-6 PV-6: compliance finds every extension one account approved in a quarter, sees before and after, and takes the entries away @390", async ({
  page,
  browser,
  ledger,
  night,
  sql,
}) => {
  const complaints = complaintsOf(page);
  const { approverId } = night.tenant;
  const other = await anAccount(ledger, night.tenant.id, "account_manager");
  const found = await Promise.all([
    anExtension(night, browser, sql, approverId),
    anExtension(night, browser, sql, approverId),
  ]);
  const ofAnother = await anExtension(night, browser, sql, other);
  const compliance = await anAccount(ledger, night.tenant.id, "compliance");
  await night.signIn(compliance, page.context());

  await page.goto(`/t/${night.slug}/history`);
  await expect(page.getByRole("heading", { level: 1, name: "History" })).toBeVisible();
  await page.getByLabel("Who", { exact: true }).selectOption(`user:${approverId}`);
  await expect(page).toHaveURL(/who=/);
  await page.getByLabel("Action", { exact: true }).selectOption("approved");
  await expect(page).toHaveURL(/action=approved/);
  await page.getByLabel("Kind", { exact: true }).selectOption("extend");
  await expect(page).toHaveURL(/kind=extend/);
  const table = page.getByRole("table", { name: "Entries of the history" });
  // The head and the two: the list without filters has more.
  await expect(table.getByRole("row")).toHaveCount(1 + found.length);
  for (const { short } of found) {
    await expect(table.getByRole("row").filter({ hasText: short })).toBeVisible();
  }
  await expect(table.getByRole("row").filter({ hasText: ofAnother.short })).toHaveCount(0);
  await expectNoAxeFinding(page);
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(sideways).toBe(0);

  await page.getByRole("button", { name: "Export…" }).click();
  await page.getByText("JSON lines", { exact: true }).click();
  const arriving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const text = readFileSync(await (await arriving).path(), "utf8");
  const entries = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { op: string; who: string; kind: string });
  expect(entries.map(({ op }) => op).sort()).toEqual(found.map(({ opId }) => opId).sort());
  expect(new Set(entries.map(({ who, kind }) => `${who} ${kind}`))).toEqual(
    new Set([`user:${approverId} extend`]),
  );

  const [{ opId, short }] = found;
  await page.getByRole("link", { name: `extend op ${short}` }).click();
  await expect(page).toHaveURL(new RegExp(`/operations/${opId}`));
  await expect(page.locator('[data-state="done"]').first()).toBeVisible();
  await expect(page.getByRole("rowheader", { name: "Platform expiry" }).first()).toBeVisible();
  await page.goto(`/t/${night.slug}/history?action=history_exported`);
  await expect(table.getByRole("row").filter({ hasText: "exported history" })).toBeVisible();
  expect(complaints).toEqual([]);
});

test("SM-4 SM-6: compliance checks the history, and a pack is verified in an empty folder with only the file", async ({
  page,
  browser,
  ledger,
  night,
  sql,
}) => {
  const { opId } = await anExtension(night, browser, sql, night.tenant.approverId);
  await night.signIn(await anAccount(ledger, night.tenant.id, "compliance"), page.context());
  await page.goto(`/t/${night.slug}/history`);
  await page.getByRole("link", { name: "Verify", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Verify history" })).toBeVisible();
  await page.getByRole("button", { name: "Check now" }).click();
  await expect(page.getByText(/^Chains \d+, entries \d+, seals \d+: all fit\.$/)).toBeVisible({
    timeout: 30_000,
  });
  await expectNoAxeFinding(page);

  await page.goto(`/t/${night.slug}/history/packs`);
  await page.getByText("An operation", { exact: true }).click();
  await page.getByRole("textbox", { name: "Operation" }).fill(opId);
  await expectNoAxeFinding(page);
  await page.getByRole("button", { name: "Make a pack" }).click();
  const download = page.getByRole("link", { name: "Download the pack" });
  await expect(download).toBeVisible({ timeout: 30_000 });
  await expectNoAxeFinding(page);
  const arriving = page.waitForEvent("download");
  await download.click();

  const empty = mkdtempSync(path.join(tmpdir(), "pack-"));
  try {
    await (await arriving).saveAs(path.join(empty, "pack.zip"));
    copyFileSync(path.join(projectRoot, "docs/verify-pack.mjs"), path.join(empty, "verify.mjs"));
    const { stdout } = await promisify(execFile)(process.execPath, ["verify.mjs", "pack.zip"], {
      cwd: empty,
    });
    expect(stdout).toContain("All fits.");
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
});
