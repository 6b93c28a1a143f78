import { randomUUID } from "node:crypto";
import { complaintsOf, expect, expectNoAxeFinding, PEOPLE, test } from "./fixtures";
import { system } from "./system";

interface Mail {
  readonly subject: string;
}

/** How many test messages the sandbox caught for this address. */
async function testsTo(address: string): Promise<number> {
  const answer = await fetch(new URL(`/control/mails?to=${address}`, system().sandboxUrl));
  const { mails } = (await answer.json()) as { mails: Mail[] };
  return mails.filter(({ subject }) => subject.includes("Test message")).length;
}

test("OB-2: a person chooses quiet hours, which stay, and gets a test by mail all the same @390", async ({
  page,
  signInAs,
}) => {
  await signInAs("CO");
  await page.goto("/me");
  const quiet = page.getByRole("switch", { name: "Quiet hours" });
  const [from, until] = [page.getByLabel(/^From/), page.getByLabel(/^Until/)];
  // The switch moves once the page listens.
  await expect(async () => {
    if (!(await quiet.isChecked())) await quiet.press("Space");
    await expect(from).toBeVisible({ timeout: 500 });
  }).toPass();
  await from.fill("00:00");
  await until.fill("23:59");
  await page.getByRole("button", { name: "Save notifications" }).click();
  await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
  await expect(page.getByText("Escalations still reach you.")).toBeVisible();
  await page.reload();
  await expect(until).toHaveValue("23:59");
  const before = await testsTo(PEOPLE.CO);
  await page.getByRole("button", { name: "Send a test" }).click();
  await expect.poll(() => testsTo(PEOPLE.CO), { timeout: 60_000 }).toBe(before + 1);
  await expect(page.getByRole("list", { name: "Last test" })).toContainText("E-mail: taken");
  await expectNoAxeFinding(page);
  const wider = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
  expect(wider).toBe(false);
});

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
