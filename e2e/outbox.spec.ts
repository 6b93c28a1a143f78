import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { test as base, complaintsOf, expect, expectNoAxeFinding, postByHand } from "./fixtures";
import { system } from "./system";

interface Fixtures {
  /** A subscriber of tenant north at a receiver of the sandbox that nobody else uses. */
  readonly subscriber: { readonly name: string; readonly id: string; readonly secret: string };
}

const OUTBOX = "/t/north/outbox";

async function receiver(name: string, settings: object): Promise<void> {
  const answer = await fetch(new URL(`/control/receivers/${name}`, system().sandboxUrl), {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(settings),
  });
  expect(answer.status).toBe(200);
}

const test = base.extend<Fixtures>({
  subscriber: async ({ page, signInAs }, use) => {
    await signInAs("AD");
    const name = `r-${randomUUID().slice(0, 8)}`;
    const { status, body } = await postByHand(page, `/api/v1${OUTBOX}/subscribers`, {
      name,
      url: `${system().sandboxUrl}/receiver/${name}`,
      eventTypes: ["request.declined"],
    });
    expect(status).toBe(201);
    const secret = String(body.secret);
    await receiver(name, { secrets: [secret] });
    await use({ name, id: String(body.id), secret });
  },
});

async function confirm(page: Page, button: string, reason?: string): Promise<void> {
  await page.getByRole("button", { name: button, exact: true }).click();
  const dialog = page.getByRole("dialog");
  if (reason !== undefined) await dialog.getByRole("textbox", { name: "Reason" }).fill(reason);
  await dialog.getByRole("button", { name: button, exact: true }).click();
  await expect(dialog).toBeHidden();
}

test("a subscriber is added by an admin, its secret is shown once, and an internal address is refused", async ({
  page,
  signInAs,
}) => {
  const complaints = complaintsOf(page);
  await signInAs("AD");
  await page.goto(`${OUTBOX}/subscribers`);
  await page.getByRole("button", { name: "Add a subscriber" }).click();
  const name = `r-${randomUUID().slice(0, 8)}`;
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("textbox", { name: "Address" }).fill("https://169.254.169.254/latest");
  await page.getByRole("button", { name: "Add subscriber" }).click();
  await expect(page.getByText("Leads into an internal network.", { exact: true })).toBeVisible();
  await expectNoAxeFinding(page);
  await page
    .getByRole("textbox", { name: "Address" })
    .fill(`${system().sandboxUrl}/receiver/${name}`);
  await page.getByRole("button", { name: "Add subscriber" }).click();
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await expect(page.getByRole("link", { name })).toBeVisible();
  await expectNoAxeFinding(page);
  await page.reload();
  await expect(page.getByRole("link", { name })).toBeVisible();
  await expect(page.getByText(/^whsec_/)).toHaveCount(0);
  // The refused address is the one answer of the server that the browser's console reports.
  expect(complaints.filter((text) => !text.includes("422"))).toEqual([]);
});

test("a test event goes out signed, its tries and body are shown, and it can be sent again", async ({
  page,
  subscriber,
}) => {
  await page.goto(`${OUTBOX}/subscribers/${subscriber.id}`);
  await expectNoAxeFinding(page);
  await confirm(page, "Send test event");
  const log = page.getByRole("table", { name: "Deliveries" });
  await expect(log.locator('[data-state="delivered"]')).toBeVisible();
  await log.getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Delivery [0-9a-f]{8}$/);
  await expect(page.getByRole("cell", { name: "200, taken" })).toBeVisible();
  await expect(page.getByText("subscriber.test")).toHaveCount(0);
  await page.getByRole("button", { name: "Show body" }).click();
  await expect(page.getByText('"type" : "subscriber.test"')).toBeVisible();
  await expectNoAxeFinding(page);
  await confirm(page, "Send again");
  await expect(page.getByRole("cell", { name: "200, taken" })).toHaveCount(2);
  const answer = await fetch(new URL(`/control/receivers/${subscriber.name}`, system().sandboxUrl));
  const { deliveries } = (await answer.json()) as {
    deliveries: { webhook_id: string; verified: boolean }[];
  };
  expect(deliveries.map(({ verified }) => verified)).toEqual([true, true]);
  expect(new Set(deliveries.map((one) => one.webhook_id)).size).toBe(1);
});

test("a secret is rotated and the old one ended; deliveries are stopped with a reason and started", async ({
  page,
  subscriber,
}) => {
  await page.goto(`${OUTBOX}/subscribers/${subscriber.id}`);
  await confirm(page, "Make new secret");
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await page.getByRole("button", { name: "I have stored it" }).click();
  await confirm(page, "End old secret");
  await expect(page.getByRole("button", { name: "End old secret" })).toHaveCount(0);
  await page.getByRole("button", { name: "Stop deliveries", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("0 wait and are kept.");
  await dialog.getByRole("button", { name: "Stop deliveries" }).click();
  await expect(dialog).toContainText("Give a reason");
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Their maintenance.");
  await dialog.getByRole("button", { name: "Stop deliveries" }).click();
  await expect(page.locator('[data-state="stopped"]')).toBeVisible();
  await confirm(page, "Start deliveries");
  await expect(page.locator('[data-state="active"]')).toBeVisible();
  await expect(page.getByText("Started deliveries.")).toBeVisible();
});

test("an account manager reads the outbox and changes nothing in it", async ({
  page,
  signInAs,
  subscriber,
}) => {
  await signInAs("AM1");
  await page.goto("/t/north/operations");
  await page.keyboard.press("g");
  await page.keyboard.press("u");
  await expect(page).toHaveURL(/\/outbox$/);
  await page.goto(`${OUTBOX}/subscribers/${subscriber.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(subscriber.name);
  await expect(page.getByRole("button", { name: "Stop deliveries" })).toHaveCount(0);
  const url = `/api/v1${OUTBOX}/subscribers/${subscriber.id}/tests`;
  expect((await postByHand(page, url, {})).status).toBe(403);
});

test("every page of the outbox is clean for axe and scrolls in one direction only @390", async ({
  page,
  subscriber,
}) => {
  await receiver(subscriber.name, { secrets: [subscriber.secret], status: 500 });
  await page.goto(`${OUTBOX}/subscribers/${subscriber.id}`);
  await confirm(page, "Send test event");
  const retrying = page.locator('[data-state="retrying"]');
  await expect(retrying.first()).toBeVisible();
  const row = page.getByRole("table", { name: "Deliveries" }).getByRole("link").first();
  const delivery = await row.getAttribute("href");
  for (const path of [
    OUTBOX,
    `${OUTBOX}?state=dead&request=none`,
    `${OUTBOX}/subscribers`,
    `${OUTBOX}/subscribers/${subscriber.id}`,
    delivery ?? "",
  ]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectNoAxeFinding(page);
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect([path, wider]).toEqual([path, false]);
  }
  await page.goto(`${OUTBOX}?subscriber=${subscriber.name}`);
  await page.getByRole("checkbox", { name: /^Select Test event/ }).check();
  await page.getByRole("button", { name: "Send 1 again" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
  await expect(page.getByText("1 go out again.")).toBeVisible();
});
