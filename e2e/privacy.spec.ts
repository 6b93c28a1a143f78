import { anAccount } from "@/lib/testing/factories";
import { complaintsOf, expect, expectNoAxeFinding } from "./fixtures";
import { test } from "./night";

test("PV-3 PV-5: one person asks for an erasure, another confirms it, and the schedule with its holds is kept beside it @390", async ({
  page,
  context,
  ledger,
  night,
}) => {
  const { slug, tenant } = night;
  const complaints = complaintsOf(page);
  const asks = await anAccount(ledger, tenant.id, "compliance");
  const confirms = await anAccount(ledger, tenant.id, "compliance");
  await night.sentItem("reconcile_bound_reached", 0);
  const { subjectRef, requestRef } = await ledger.requestSigner.findFirstOrThrow({
    where: { tenantId: tenant.id },
  });

  await night.signIn(asks, context);
  await page.goto(`/t/${slug}/privacy/erasures`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Erasure requests");
  await expect(page.getByText("No erasure requests.")).toBeVisible();
  await expectNoAxeFinding(page);
  await page.getByLabel("Subject").fill(subjectRef);
  await page.getByRole("textbox", { name: "Reason" }).fill("The person asked for it in writing.");
  await page.getByRole("button", { name: /^Ask for erasure of/ }).press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Erasure [0-9a-f]{8}$/);
  await expect(page.getByText("You asked for this. Another person must confirm.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Erase/ })).toHaveCount(0);

  await night.signIn(confirms, context);
  await page.goto(`/t/${slug}/privacy/erasures`);
  await page.getByRole("link", { name: subjectRef }).click();
  await expect(page.getByRole("region", { name: "What will be destroyed" })).toContainText(
    "1 set of contact details",
  );
  await expectNoAxeFinding(page);
  await page.getByRole("button", { name: `Erase ${subjectRef}` }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(
    "Cannot be undone. 2 open operations end. History stays and verifies.",
  );
  const erase = dialog.getByRole("button", { name: `Erase ${subjectRef}` });
  await expect(erase).toBeDisabled();
  await dialog.getByLabel(`Type ${subjectRef} to go on`).fill(subjectRef);
  await erase.press("Enter");
  await expect(
    page.getByRole("heading", { name: `Contact details of ${subjectRef} are erased.` }),
  ).toBeVisible();
  await expect(page.getByText(/History, hashes and seals still verify/)).toBeVisible();
  await expect(page.locator('[data-state="done"]').first()).toBeVisible();
  await expectNoAxeFinding(page);

  await page.goto(`/t/${slug}/privacy/retention`);
  await page.getByRole("button", { name: "Change retention of Inbox" }).click();
  await page.getByLabel("Keeps (days)").fill("14");
  await page.getByRole("button", { name: "Keep inbox for 14 days" }).press("Enter");
  await expect(page.getByText("Inbox is kept for 14 days.")).toBeVisible();
  await page.getByRole("textbox", { name: "Request" }).fill(requestRef);
  await page.getByRole("textbox", { name: "Reason of the hold" }).fill("A court asked for it.");
  await page.getByRole("button", { name: "Set hold" }).press("Enter");
  await expect(page.getByText(`A hold on ${requestRef} stands.`)).toBeVisible();
  await expectNoAxeFinding(page);
  await page.getByRole("button", { name: "Lift hold" }).click();
  const lift = page.getByRole("dialog", { name: `Lift the hold on ${requestRef}?` });
  await lift.getByRole("textbox", { name: "Reason" }).fill("The case is closed.");
  await lift.getByRole("button", { name: "Lift hold" }).press("Enter");
  await expect(page.getByText(`The hold on ${requestRef} is lifted.`)).toBeVisible();
  expect(complaints).toEqual([]);
});
