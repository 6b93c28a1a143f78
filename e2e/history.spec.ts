import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "@/workers/launch/root";
import { complaintsOf, expect, expectNoAxeFinding, test } from "./fixtures";

test("SM-6 PV-6: compliance finds what one account approved, opens it, and takes the entries away @390", async ({
  page,
  signInAs,
  sql,
}) => {
  const complaints = complaintsOf(page);
  const [found] = await sql<{ actor: string; op: string; login: string }>(
    `SELECT e.actor, e.op_id AS op, a.login FROM operation_events e
     JOIN operations o ON o.tenant_id = e.tenant_id AND o.op_id = e.op_id
     JOIN tenants t ON t.id = e.tenant_id AND t.slug = 'north'
     JOIN accounts a ON 'user:' || a.id = e.actor
     WHERE e.reason = 'approved' AND o.kind = 'extend' ORDER BY e.at DESC LIMIT 1`,
  );
  if (!found) throw new Error("the demo has no approved extension");
  await signInAs("CO");
  await page.goto("/t/north/history");
  await expect(page.getByRole("heading", { level: 1, name: "History" })).toBeVisible();
  await expectNoAxeFinding(page);
  await page.getByLabel("Who", { exact: true }).selectOption(found.actor);
  await page.getByLabel("Action", { exact: true }).selectOption("approved");
  await page.getByLabel("Kind", { exact: true }).selectOption("extend");
  await expect(page).toHaveURL(/kind=extend/);
  const rows = page.getByRole("table", { name: "Entries of the history" }).getByRole("row");
  const short = found.op.slice(0, 8);
  await expect(rows.filter({ hasText: short }).first()).toBeVisible();
  await expectNoAxeFinding(page);
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(sideways).toBe(0);

  await page.getByRole("button", { name: "Export…" }).click();
  await page.getByText("JSON lines", { exact: true }).click();
  const arriving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const file = await (await arriving).path();
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const entries = lines.map(
    (line) => JSON.parse(line) as { op: string; who: string; kind: string },
  );
  expect(entries.some(({ op }) => op === found.op)).toBe(true);
  expect(new Set(entries.map(({ who, kind }) => `${who} ${kind}`))).toEqual(
    new Set([`${found.actor} extend`]),
  );
  expect(readFileSync(file, "utf8")).not.toContain("@");

  await page
    .getByRole("link", { name: `extend op ${short}` })
    .first()
    .click();
  await expect(page).toHaveURL(new RegExp(`/operations/${found.op}`));
  await page.goto("/t/north/history?action=history_exported");
  await expect(rows.filter({ hasText: "exported history" }).first()).toBeVisible();
  expect(complaints).toEqual([]);
});

test("SM-4 SM-6: compliance checks the history, and a pack is verified in an empty folder with only the file", async ({
  page,
  signInAs,
  sql,
}) => {
  const [found] = await sql<{ op: string }>(
    `SELECT o.op_id AS op FROM operations o JOIN tenants t ON t.id = o.tenant_id AND t.slug = 'north'
     WHERE o.kind = 'extend' AND o.state = 'done' LIMIT 1`,
  );
  if (!found) throw new Error("the demo has no extension that is done");
  await signInAs("CO");
  await page.goto("/t/north/history");
  await page.getByRole("link", { name: "Verify", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Verify history" })).toBeVisible();
  await page.getByRole("button", { name: "Check now" }).click();
  await expect(page.getByText(/^Chains \d+, entries \d+, seals \d+: all fit\.$/)).toBeVisible({
    timeout: 60_000,
  });
  await expectNoAxeFinding(page);

  await page.goto("/t/north/history/packs");
  await page.getByText("An operation", { exact: true }).click();
  await page.getByLabel("Operation", { exact: true }).fill(found.op);
  await expectNoAxeFinding(page);
  await page.getByRole("button", { name: "Make a pack" }).click();
  const download = page.getByRole("link", { name: "Download the pack" });
  await expect(download).toBeVisible({ timeout: 60_000 });
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
