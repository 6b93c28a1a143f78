import { expect, test } from "./fixtures";

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
