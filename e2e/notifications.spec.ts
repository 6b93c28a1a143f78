import { randomUUID } from "node:crypto";
import { complaintsOf, expect, expectNoAxeFinding, test } from "./fixtures";
import { system } from "./system";

test("an admin adds a chat, an internal address is refused, and a test arrives there", async ({
  page,
  signInAs,
}) => {
  const complaints = complaintsOf(page);
  const name = `chat-${randomUUID().slice(0, 8)}`;
  await fetch(new URL(`/control/receivers/${name}`, system().sandboxUrl), {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ secrets: [] }),
  });
  await signInAs("AD");
  await page.goto("/t/north/settings");
  await page.getByRole("link", { name: "Notifications" }).click();
  await page.getByRole("button", { name: "Add an endpoint" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("textbox", { name: "Address" }).fill("https://169.254.169.254/hook");
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await expect(page.getByText("Leads into an internal network.", { exact: true })).toBeVisible();
  await expectNoAxeFinding(page);
  await page
    .getByRole("textbox", { name: "Address" })
    .fill(`${system().sandboxUrl}/receiver/${name}`);
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await page.getByRole("button", { name: `Send a test to ${name}` }).click();
  const row = page.getByRole("row", { name: new RegExp(name) });
  await expect(row).toContainText("200, taken");
  await page.getByRole("button", { name: `Stop ${name}` }).click();
  await expect(row.locator('[data-state="stopped"]')).toBeVisible();
  await expectNoAxeFinding(page);
  // The refused address is the one answer of the server that the browser's console reports.
  expect(complaints.filter((text) => !text.includes("422"))).toEqual([]);
});
