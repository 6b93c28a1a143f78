import { demoId } from "@/prisma/demo/people";
import { complaintsOf, expect, expectNoAxeFinding, postByHand, test } from "./fixtures";

const CONNECTIONS = "/t/south/settings/connections";
const ID = demoId("connection south");

test("IN-1 PV-1: an admin rotates a webhook secret that is shown once, removes it, and sets polling; others only read", async ({
  page,
  signInAs,
}) => {
  const complaints = complaintsOf(page);
  await signInAs("SOUTH_AM1");
  await page.goto("/t/south/settings");
  await page.getByRole("link", { name: "Connections" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Connections");
  await page.getByRole("link", { name: "sbx-1" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Connection sbx-1");
  for (const name of ["Make new secret", "Save polling", /^Remove /]) {
    await expect(page.getByRole("button", { name })).toHaveCount(0);
  }
  const api = `/api/v1${CONNECTIONS.replace("/settings", "")}/${ID}`;
  const wish = { shownKeyIds: ["k1"], overlapHours: 24 };
  expect((await postByHand(page, `${api}/secrets`, wish)).status).toBe(403);
  expect((await postByHand(page, `${api}/secret-ends`, { keyId: "k1" })).status).toBe(403);
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(page.getByText("The platform answered and takes our credentials.")).toBeVisible();
  await signInAs("SOUTH_AD");
  await page.goto(`${CONNECTIONS}/${ID}`);
  await page.getByRole("button", { name: "Make new secret" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "How long k1 is accepted along" }).selectOption("1");
  await dialog.getByRole("button", { name: "Make new secret" }).click();
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await expectNoAxeFinding(page);
  await page.reload();
  await expect(page.getByRole("table", { name: "Active secrets" }).getByRole("row")).toHaveCount(3);
  await expect(page.getByText(/whsec_/)).toHaveCount(0);
  await expect(page.getByText(/^Two secrets are active\./)).toBeVisible();
  const remove = page.getByRole("button", { name: /^Remove k_/ });
  const words = await remove.textContent();
  await remove.click();
  await expect(dialog).toContainText("0 events of the last 24 hours were signed with it.");
  await dialog.getByRole("button", { name: words ?? "" }).click();
  await expect(page.getByText(/^Removed secret k_.* By you\.$/)).toBeVisible();
  await page.getByRole("combobox", { name: "Poll" }).selectOption("when_silent");
  await page.getByRole("button", { name: "Save polling" }).click();
  await expect(page.getByText(/^Changed polling from/)).toBeVisible();
  expect(complaints).toEqual([]);
});

test("PL-2: every page of a connection is clean for axe and narrow, and what nobody can say is marked @390", async ({
  page,
  signInAs,
}) => {
  await signInAs("SOUTH_AM1");
  for (const path of [CONNECTIONS, `${CONNECTIONS}/${ID}`, `${CONNECTIONS}/${ID}/capabilities`]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectNoAxeFinding(page);
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect([path, wider]).toEqual([path, false]);
  }
  const unknown = page.locator('[data-state="unknown"]').first();
  await expect(unknown).toHaveText("unknown, treated as the safe case");
  await expect(page.getByText("Look-up by our reference")).toBeVisible();
});
