import type { Browser, Page } from "@playwright/test";
import { connect } from "@/lib/store/db";
import { waitUntil } from "@/lib/testing/processes";
import { DEMO_PASSWORD, demoAccountId, demoId } from "@/prisma/demo/people";
import { SandboxControl } from "@/sandbox/control-client";
import { expect, test } from "./fixtures";
import { system } from "./system";

const TENANT = demoId("tenant north");

async function signIn(browser: Browser, login: string): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto("/sign-in");
  await page.getByLabel("Address").fill(login);
  await page.getByLabel("Password").fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(/\/t\/north\//);
  return page;
}

/** A demo request that no other test touches. */
async function freeRequest(db: ReturnType<typeof connect>) {
  return db.request.findFirstOrThrow({
    where: { tenantId: TENANT, mirrorStatus: "sent", platformRef: { not: null } },
    orderBy: { businessDeadlineAt: "desc" },
    select: { ref: true, platformRef: true },
  });
}

test("AP-4 RC-1 C-11 C-31: a double extension, lost answer, two clicks, a second tab and a replayed POST make one approval, one operation and one effect", async ({
  browser,
}) => {
  const { databaseUrl, sandboxUrl } = system();
  const db = connect(databaseUrl, { poolMax: 2 });
  const platform = new SandboxControl(sandboxUrl);
  const { ref, platformRef } = await freeRequest(db);
  // The platform accepts and then answers later than this client waits.
  await db.connection.updateMany({ where: { tenantId: TENANT }, data: { callTimeoutMs: 1_500 } });
  await platform.addFault("north", { fault: "answer_delayed", operation: "extend" });

  const proposer = await signIn(browser, "am1@north.example");
  await proposer.goto(`/t/north/requests/${ref}/propose/extend`);
  await proposer.getByLabel("+7 days").check();
  await proposer.getByRole("textbox", { name: /^Reason/ }).fill("The board meets later.");
  const propose = proposer.getByRole("button", { name: /^Propose extension to / });
  const proposed = proposer.waitForRequest(
    (one) => one.method() === "POST" && one.url().includes("/extensions"),
  );
  await propose.dblclick();
  await proposer.waitForURL(/\/operations\/[0-9a-f-]{36}/);
  const opId = /operations\/([0-9a-f-]{36})/.exec(proposer.url())?.[1] ?? "";
  await replay(proposer, await proposed);

  const approver = await signIn(browser, "am2@north.example");
  const second = await approver.context().newPage();
  const address = `/t/north/approvals/${opId}`;
  await Promise.all([approver.goto(address), second.goto(address)]);
  const approve = (page: Page) => page.getByRole("button", { name: /^Approve extension to / });
  await Promise.all([
    expect(approve(approver)).toBeEnabled(),
    expect(approve(second)).toBeEnabled(),
  ]);
  const approved = approver.waitForRequest(
    (one) => one.method() === "POST" && one.url().endsWith("/approvals"),
  );
  await Promise.all([approve(approver).dblclick(), approve(second).click()]);
  await expect(approver.getByText(/^(Approved|Already approved) by you at/).first()).toBeVisible();
  await expect(second.getByText(/^(Approved|Already approved) by you at/).first()).toBeVisible();
  await replay(approver, await approved);
  await approver.goBack();
  await approver.goForward();
  await expect(approve(approver)).toHaveCount(0);

  await approver.goto(`/t/north/operations/${opId}`);
  await expect(approver.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(
    approver.locator('h1 ~ * [data-state="done"], [data-state="done"]').first(),
  ).toBeVisible();

  const operations = await db.operation.findMany({ where: { tenantId: TENANT, requestRef: ref } });
  expect(operations.map(({ state, attempts }) => ({ state, attempts }))).toEqual([
    { state: "done", attempts: 1 },
  ]);
  const approvals = await db.approval.findMany({ where: { tenantId: TENANT, opId } });
  expect(approvals.map(({ accountId }) => accountId)).toEqual([demoAccountId("am2@north.example")]);
  const reasons = await db.operationEvent.findMany({
    where: { tenantId: TENANT, opId },
    orderBy: { seq: "asc" },
    select: { reason: true },
  });
  expect(reasons.map(({ reason }) => reason)).toContain("call_timed_out");
  const effects = await platform.effects("north", {
    requestId: platformRef ?? "",
    kind: "extended",
  });
  expect(effects).toHaveLength(1);
  const target = JSON.parse(operations[0]?.canonicalText ?? "{}").target.expires_at;
  expect(Date.parse(effects[0]?.value ?? "")).toBe(Date.parse(target));
  await waitUntil(
    async () => {
      const request = await db.request.findFirstOrThrow({ where: { tenantId: TENANT, ref } });
      return request.mirrorExpiresAt?.getTime() === Date.parse(target);
    },
    { what: "the mirror shows the approved deadline" },
  );
  await db.connection.updateMany({ where: { tenantId: TENANT }, data: { callTimeoutMs: 10_000 } });
  await db.$disconnect();
  // Open pages would go on polling beside every later test.
  await Promise.all([proposer, approver].map((page) => page.context().close()));
});

/** Sends the very same POST again, with the session's cookies, as a proxy or a person with curl would. */
async function replay(
  page: Page,
  sent: { url(): string; postData(): string | null; headers(): Record<string, string> },
): Promise<void> {
  const { "idempotency-key": key = "" } = sent.headers();
  const origin = new URL(sent.url()).origin;
  const again = await page.request.post(sent.url(), {
    data: sent.postData() ?? "",
    headers: { "content-type": "application/json", "idempotency-key": key, origin },
  });
  expect(again.status()).toBeLessThan(300);
}
