import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import { demoId } from "@/prisma/demo/people";
import { test as base, complaintsOf, expect, expectNoAxeFinding, postByHand } from "./fixtures";
import { system } from "./system";

const INBOX = "/t/north/inbox";
const CONNECTION = demoId("connection north");

interface Deliverer {
  /** Delivers a signed event and returns the status of the answer; `secret` is one that fits unless given. */
  send(id: string, platformRef: string, status: string, secret?: string): Promise<number>;
}

interface Fixtures {
  /** A sender with an own active secret of tenant north's connection, made by its admin. */
  readonly platform: Deliverer;
  /** A request of tenant north that the platform knows, by both references. */
  readonly known: { readonly ref: string; readonly platformRef: string };
}

const test = base.extend<Fixtures>({
  platform: async ({ browser, signInAs }, use) => {
    const context = await browser.newContext({ baseURL: system().url });
    await signInAs("AD", context);
    const admin = await context.newPage();
    const url = `/api/v1/t/north/connections/${CONNECTION}`;
    const shown = await (await admin.request.get(url)).json();
    const { keyId } = shown.connection.secrets.at(0);
    const made = await postByHand(admin, `${url}/secrets`, {
      shownKeyIds: [keyId],
      overlapHours: 1,
    });
    expect(made.status).toBe(201);
    await use({ send: (...given) => deliver(String(made.body.secret), ...given) });
    const ended = await postByHand(admin, `${url}/secret-ends`, { keyId: made.body.keyId });
    expect(ended.status).toBe(200);
    await context.close();
  },
  known: async ({ sql }, use) => {
    const [row] = await sql<{ ref: string; platform_ref: string }>(
      `SELECT ref, platform_ref FROM requests WHERE connection_id = $1 AND platform_ref IS NOT NULL
       AND NOT mirror_terminal ORDER BY ref LIMIT 1`,
      [CONNECTION],
    );
    await use({ ref: row?.ref ?? "", platformRef: row?.platform_ref ?? "" });
  },
});

async function deliver(
  own: string,
  id: string,
  platformRef: string,
  status: string,
  secret = own,
): Promise<number> {
  const at = new Date();
  const body = JSON.stringify({
    id,
    type: `request.${status}`,
    timestamp: at.toISOString(),
    data: { request_id: platformRef, client_reference: null, status },
  });
  const answer = await fetch(new URL(`/api/webhooks/${CONNECTION}`, system().url), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign(id, at, body),
    },
    body,
  });
  return answer.status;
}

const freshEvent = () => `evt_${randomUUID().slice(0, 8)}`;

async function openEvent(page: Page, id: string): Promise<void> {
  await page.goto(`${INBOX}?q=${id}`);
  await page.getByRole("table", { name: "Events" }).locator("[data-row]").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Event [0-9a-f]{8}$/);
}

test("IN-1 IN-8: an event is found, its three accounts stand side by side, its raw body is shown on record, and it is replayed", async ({
  page,
  signInAs,
  platform,
  known,
  sql,
}) => {
  const complaints = complaintsOf(page);
  const id = freshEvent();
  expect(await platform.send(id, known.platformRef, "viewed")).toBe(200);
  expect(await platform.send(id, known.platformRef, "viewed")).toBe(200);
  await signInAs("OC1");
  await page.goto("/t/north/operations");
  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await expect(page).toHaveURL(/\/inbox$/);
  await expectNoAxeFinding(page);
  await openEvent(page, id);
  await expect(page.locator('[data-state="duplicate"]')).toHaveText("Duplicate ×2");
  const says = page.getByRole("table", { name: "What the three say" });
  for (const name of ["Webhook says", "API says", "Ledger says"]) {
    await expect(says.getByRole("columnheader", { name })).toBeVisible();
  }
  await page.getByRole("button", { name: "Ask the platform now" }).click();
  await expect(page.getByText("The platform answered; see below.")).toBeVisible();
  await expect(page.getByText(`"${id}"`)).toHaveCount(0);
  await page.getByRole("button", { name: "Show raw body" }).click();
  await page.getByRole("button", { name: "Show raw body for 60 s" }).click();
  await expect(page.getByText("Give a reason; it becomes part of the history.")).toBeVisible();
  const why = page.getByRole("textbox", { name: "Why the raw body is shown" });
  await why.fill("The status looks odd.");
  await page.getByRole("button", { name: "Show raw body for 60 s" }).click();
  await expect(page.getByText(`"${id}"`)).toBeVisible();
  await expectNoAxeFinding(page);
  await expect(page.getByText(/Raw body shown; the reason is on record\. By you\./)).toBeVisible();
  await page.getByRole("button", { name: "Hide raw body" }).click();
  await expect(page.getByText(`"${id}"`)).toHaveCount(0);
  await page.getByRole("button", { name: "Replay event" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("If it was applied before, nothing changes.");
  await dialog.getByRole("button", { name: "Replay event" }).click();
  await expect(page.getByRole("status").filter({ hasText: /^Replayed: / })).toBeVisible();
  const inbox = page.url().split("/").at(-1);
  const acts = await sql<{ act: string; told: boolean }>(
    `SELECT act, reason_digest IS NOT NULL AS told FROM inbox_acts WHERE inbox_id = $1 ORDER BY at`,
    [inbox],
  );
  expect(acts).toEqual([
    { act: "raw_shown", told: true },
    { act: "replayed", told: false },
  ]);
  expect(complaints).toEqual([]);
});

test("IN-4 IN-8: what is not understood is quarantined, a selection is frozen and replayed, and a day is confirmed by its count", async ({
  page,
  signInAs,
  platform,
  sql,
}) => {
  const ids = [freshEvent(), freshEvent(), freshEvent()];
  const stranger = `req_${randomUUID().slice(0, 8)}`;
  for (const id of ids) expect(await platform.send(id, stranger, "sent")).toBe(202);
  await signInAs("OC1");
  await page.goto(`${INBOX}?q=${stranger}`);
  const rows = page.getByRole("table", { name: "Events" }).getByRole("row");
  await expect(rows).toHaveCount(4);
  await expect(page.locator('td [data-state="quarantined"]')).toHaveCount(3);
  await page
    .getByRole("checkbox", { name: /^Select event/ })
    .first()
    .check();
  await expect(page.getByText("1 selected on this page")).toBeVisible();
  await page.getByRole("button", { name: "Select all 3 that match" }).click();
  await expect(page.getByText(/^3 events selected, as they matched at /)).toBeVisible();
  await page.getByRole("button", { name: "Replay 3 selected" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Replay 3 events" }).click();
  await expect(page.getByText("3 events replayed: 3 quarantined.")).toBeVisible();
  await expectNoAxeFinding(page);
  const day = "2026-11-03";
  // As if two of them had been received on a day of their own.
  await sql(
    `UPDATE inbox_events SET received_at = $2::timestamptz WHERE connection_id = $1 AND identity = ANY($3)`,
    [CONNECTION, `${day}T12:00:00Z`, ids.slice(0, 2).map((id) => `id:${id}`)],
  );
  await page.goto(INBOX);
  await page.getByRole("button", { name: "Replay a day" }).click();
  await page.getByLabel("Day of receipt (UTC)").fill("2026-11-04");
  await page.getByRole("button", { name: "Count events" }).click();
  await expect(page.getByText("Nothing was received on 2026-11-04 (UTC).")).toBeVisible();
  await page.getByLabel("Day of receipt (UTC)").fill(day);
  await page.getByRole("button", { name: "Count events" }).click();
  const dialog = page.getByRole("dialog", { name: `Replay 2 events of ${day} (UTC)?` });
  const replay = dialog.getByRole("button", { name: "Replay 2 events" });
  await expect(replay).toBeDisabled();
  await dialog.getByRole("textbox", { name: "Type 2 to go on" }).fill("2");
  await replay.click();
  await expect(page.getByText("2 events replayed: 2 quarantined.")).toBeVisible();
  await sql("UPDATE inbox_events SET received_at = now() WHERE received_at < '2026-11-10'");
});

test("IN-1 PV-1 PV-2: roles see what is theirs, another tenant sees nothing, and refused deliveries are only counted", async ({
  page,
  signInAs,
  platform,
}) => {
  const id = freshEvent();
  expect(await platform.send(id, "req_nobody_knows", "sent")).toBe(202);
  const foreign = `whsec_${Buffer.from(randomUUID()).toString("base64")}`;
  expect(await platform.send(freshEvent(), "req_nobody_knows", "sent", foreign)).toBe(401);
  await signInAs("AM1");
  await openEvent(page, id);
  const path = new URL(page.url()).pathname;
  await expect(page.getByText("Your role sees no raw bodies.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Replay event" })).toHaveCount(0);
  const api = `/api/v1${path}`;
  const reason = "I am curious.";
  expect((await postByHand(page, `${api}/raw-reveals`, { reason })).status).toBe(403);
  expect((await postByHand(page, `${api}/replays`, {})).status).toBe(403);
  await page.goto(INBOX);
  await expect(page.getByRole("button", { name: "Replay a day" })).toHaveCount(0);
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  await expect(page.getByRole("note").filter({ hasText: "Failed authentication" })).toContainText(
    "no active secret fits",
  );
  await signInAs("CO");
  await page.goto(path);
  await expect(page.getByRole("button", { name: "Show raw body" })).toBeVisible();
  await signInAs("SOUTH_AM1");
  await page.goto(path.replace("north", "south"));
  await expect(page.getByText("There is nothing here, or you may not see it.")).toBeVisible();
});

test("the inbox is clean for axe and scrolls in one direction only @390", async ({
  page,
  signInAs,
  platform,
  known,
}) => {
  const id = freshEvent();
  await platform.send(id, known.platformRef, "sent");
  await signInAs("OC1");
  await openEvent(page, id);
  const event = new URL(page.url()).pathname;
  for (const path of [INBOX, `${INBOX}?outcome=dead&q=nothing`, event]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectNoAxeFinding(page);
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect([path, wider]).toEqual([path, false]);
  }
  await page.goto(`/t/north/requests/${known.ref}`);
  await page.getByRole("link", { name: `Events of ${known.ref}` }).click();
  await expect(page).toHaveURL(new RegExp(`/inbox\\?request=${known.ref}$`));
  await expect(page.getByRole("table", { name: "Events" })).toBeVisible();
});
