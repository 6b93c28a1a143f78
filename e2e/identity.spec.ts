import { complaintsOf, expect, expectNoAxeFinding, PEOPLE, test } from "./fixtures";
import { system } from "./system";

test("PV-1 C-36: a person signs in through the provider, and a revoked identity loses access at the next request", async ({
  page,
  sql,
}) => {
  const name = PEOPLE.OC2.replace("@north.example", "");
  await page.goto("/t/north/operations");
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=/);
  await expectNoAxeFinding(page);
  const complaints = complaintsOf(page);
  await page.getByRole("button", { name: "Sign in with North" }).click();
  await page.locator("input[name=login]").fill(name);
  await page.locator("input[name=password]").fill("anything");
  await page.locator("button[type=submit]").click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/t\/north\/operations/);
  await expect(page.getByRole("heading", { level: 1, name: "Operations" })).toBeVisible();
  expect(complaints.filter((line) => !line.includes("favicon"))).toEqual([]);

  const rows = await sql<{ open: number }>(
    "SELECT count(*)::int AS open FROM sessions WHERE issuer IS NOT NULL AND revoked_at IS NULL",
  );
  expect(rows[0]?.open).toBeGreaterThan(0);
  const issuer = system().env.OIDC_ISSUER;
  expect((await page.request.post(`${issuer}/testing/disable/${name}`)).status()).toBe(204);
  await page.goto("/t/north/operations");
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=/);
});

test("PV-6: whom the provider knows and we do not is told no more than that", async ({ page }) => {
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Sign in with North" }).click();
  await page.locator("input[name=login]").fill("stranger");
  await page.locator("input[name=password]").fill("anything");
  await page.locator("button[type=submit]").click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/sign-in\?error=AccessDenied/);
  await expect(page.getByRole("alert").first()).toContainText("That did not work.");
});
