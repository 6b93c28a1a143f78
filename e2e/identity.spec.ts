import type { Page } from "@playwright/test";
import { complaintsOf, expect, expectNoAxeFinding, PEOPLE, test } from "./fixtures";
import { system } from "./system";

const issuer = () => system().env.OIDC_ISSUER ?? "";

/** Signs in at the provider and consents there; its form names its fields as ours does, so its address comes first. */
async function passTheProvider(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Sign in with North" }).click();
  await page.waitForURL((url) => url.href.startsWith(`${issuer()}/interaction/`));
  await page.locator("input[name=login]").fill(name);
  await page.locator("input[name=password]").fill("anything");
  await page.locator("button[type=submit]").click();
  await page.getByRole("button", { name: "Continue" }).click();
}

test("PV-1 C-36: a person signs in through the provider, and a revoked identity loses access at the next request", async ({
  page,
  sql,
}) => {
  const name = PEOPLE.OC2.replace("@north.example", "");
  await page.goto("/t/north/operations");
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=/);
  await expectNoAxeFinding(page);
  await passTheProvider(page, name);
  await expect(page.getByRole("heading", { level: 1, name: "Operations" })).toBeVisible();
  await expect(page).toHaveURL(/\/t\/north\/operations/);
  const complaints = complaintsOf(page);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "Operations" })).toBeVisible();
  expect(complaints).toEqual([]);

  const [open] = await sql<{ count: number }>(
    "SELECT count(*)::int FROM sessions WHERE issuer IS NOT NULL AND revoked_at IS NULL",
  );
  expect(open?.count).toBe(1);
  expect((await page.request.post(`${issuer()}/testing/disable/${name}`)).status()).toBe(204);
  await page.goto("/t/north/operations");
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=/);
});

test("PV-6: whom the provider knows and we do not is told no more than that", async ({ page }) => {
  await page.goto("/sign-in");
  await passTheProvider(page, "stranger");
  await expect(page).toHaveURL(/\/sign-in\?error=AccessDenied/);
  await expect(page.getByRole("alert").first()).toContainText("That did not work.");
});
