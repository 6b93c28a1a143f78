import { complaintsOf, expect, expectNoAxeFinding, test } from "./fixtures";
import { system } from "./system";

const SYSTEM = "/t/north/system";

test("the system page is the admin's landing: workers with their heartbeat, figures with metric and list, runbooks", async ({
  page,
  signInAs,
}) => {
  const complaints = complaintsOf(page);
  await signInAs("AD");
  await page.goto("/t/north");
  await expect(page).toHaveURL(/\/t\/north\/system$/);
  await expect(page.getByRole("heading", { level: 1, name: "System" })).toBeVisible();
  const workers = page.getByRole("table", { name: "Workers" });
  await expect(workers.locator('[data-state="alive"]').first()).toBeVisible();
  const unknown = page.getByRole("region", { name: "Unknown" });
  await expect(unknown.getByText("deadline_ledger_unknown_total")).toBeVisible();
  await expectNoAxeFinding(page);
  const behind = unknown.getByRole("link", { name: /Oldest unknown/ });
  await expect(behind).toHaveAttribute("href", /operations\?state=needs_reconcile/);
  await page.goto("/t/north/runbooks/LedgerDueLag");
  await expect(page.getByRole("heading", { level: 1, name: "Runbook LedgerDueLag" })).toBeVisible();
  await expect(page.getByText("You must not")).toBeVisible();
  await expectNoAxeFinding(page);
  const ready = await page.request.get(`${system().url}/ready`);
  expect(await ready.json()).toEqual({ status: "ready" });
  const metrics = await page.request.get(`${system().url}/metrics`);
  expect(await metrics.text()).toContain('deadline_ledger_workers{state="alive"} 1');
  const elsewhere = { headers: { "x-forwarded-for": "203.0.113.9" } };
  expect((await page.request.get(`${system().url}/metrics`, elsewhere)).status()).toBe(401);
  await page.keyboard.press("g");
  await page.keyboard.press("y");
  await expect(page).toHaveURL(/\/t\/north\/system$/);
  expect(complaints).toEqual([]);
});

test("@390 the system page stacks on a phone and keeps its figures", async ({ page, signInAs }) => {
  await signInAs("OC1");
  await page.goto(SYSTEM);
  await expect(page.getByRole("region", { name: "Queue" })).toBeVisible();
  await expectNoAxeFinding(page);
  const wider = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
  expect(wider).toBe(false);
});
