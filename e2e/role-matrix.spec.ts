import { randomUUID } from "node:crypto";
import type { APIRequestContext, Browser } from "@playwright/test";
import { scopeText } from "@/lib/domain/history-scope";
import { mayOpen, ROUTES, type RouteKey } from "@/lib/domain/navigation";
import { ROLES, type Role } from "@/lib/domain/role";
import type { Database } from "@/lib/store/db";
import { anAccount, aRequest, aTenant, operationIn } from "@/lib/testing/factories";
import { expect } from "./fixtures";
import { type Night, test } from "./night";

const KEYS = Object.keys(ROUTES) as RouteKey[];

/** Something of the tenant for every parameter of a page, so that "not found" can only mean "not yours". */
async function namesOf(ledger: Database, { tenant, people }: Night): Promise<Names> {
  const tenantId = tenant.id;
  const request = await aRequest(ledger, tenant);
  const opId = await operationIn(ledger, tenant, request, "needs_review");
  const proposed = await operationIn(ledger, tenant, await aRequest(ledger, tenant), "proposed");
  const { id: item } = await ledger.reviewItem.findFirstOrThrow({ where: { tenantId, opId } });
  const id = randomUUID();
  const key = { tenantId, id };
  const { connectionId } = tenant;
  await ledger.reviewSelection.create({
    data: { ...key, reason: "reconcile_bound_reached", count: 1, createdBy: people.first },
  });
  await ledger.reviewSelectionItem.create({
    data: { tenantId, selectionId: id, itemId: item, position: 1 },
  });
  await ledger.pause.create({
    data: {
      ...key,
      scope: "connection",
      connectionId,
      pausedBy: `user:${people.first}`,
      reasonCode: "drill",
    },
  });
  await ledger.inboxEvent.create({
    data: {
      ...key,
      connectionId,
      identity: "evt_1",
      hasEventId: true,
      type: "request.sent",
      outcome: "received",
      keyId: "k1",
      bodySealed: "sealed",
    },
  });
  const changed = { createdBy: "user:test", changedBy: "user:test" };
  await ledger.subscriber.create({
    data: {
      ...key,
      name: "books",
      url: "https://books.example/hook",
      // Of another type than the event below, which the relay would else hand out beside us.
      eventTypes: ["request.voided"],
      secretId: "k1",
      secretSealed: "sealed",
      ...changed,
    },
  });
  await ledger.outboxEvent.create({
    data: {
      ...key,
      requestRef: request.ref,
      type: "request.completed",
      fact: "one",
      cause: "{}",
      heldReason: "awaiting_read",
    },
  });
  await ledger.outboxDelivery.create({
    data: { ...key, outboxId: id, subscriberId: id, requestRef: request.ref, state: "held" },
  });
  const scope = scopeText({ kind: "request", ref: request.ref });
  const asked = { scope, askedBy: `user:${people.first}` };
  await ledger.historyCheck.create({ data: { ...key, ...asked } });
  await ledger.pack.create({ data: { ...key, ...asked } });
  const sealed = { cipherKeySealed: "sealed", digestKeySealed: "sealed" };
  await ledger.vaultSubject.create({ data: { tenantId, subjectRef: "s_matrix00", ...sealed } });
  await ledger.erasure.create({
    data: {
      ...key,
      subjectRef: "s_matrix00",
      askedBy: people.admin,
      reasonRef: id,
      reasonDigest: "0".repeat(64),
    },
  });
  return {
    "[opId]": (route) => (route === "approval" ? proposed : opId),
    "[ref]": () => request.ref,
    "[kind]": (route) => (route === "policy" ? "extend" : "remind"),
    "[sid]": () => id,
    "[account]": () => people.second,
    "[code]": () => "no_lookup",
    "[key]": () => "spring",
    "[jobId]": () => id,
    "[part]": () => "rows",
    "[id]": (route) => {
      if (route === "review" || route === "review_decide") return item;
      return route === "connection" || route === "capabilities" ? connectionId : id;
    },
  };
}

type Names = Readonly<Record<string, (route: RouteKey) => string>>;

function addressOf(slug: string, key: RouteKey, names: Names): string {
  const path = ROUTES[key].path.replaceAll(/\[\w+\]/g, (name) => names[name]?.(key) ?? name);
  return `/t/${slug}${path}`;
}

/** Requests as this person, without a page: what the server answers, before any script runs. */
async function asMember(browser: Browser, night: Night, accountId: string) {
  const context = await browser.newContext();
  await night.signIn(accountId, context);
  return context;
}

/** An overview may lead on to its first page; nothing else leads anywhere. */
async function statusOf(request: APIRequestContext, address: string): Promise<number> {
  const answer = await request.get(address, { maxRedirects: 0 });
  const { location } = answer.headers();
  return location?.startsWith(`${address}/`) ? statusOf(request, location) : answer.status();
}

/** What each page answers, as `<route> <status>`. */
async function answersTo(
  request: APIRequestContext,
  slug: string,
  names: Names,
): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const key of KEYS) {
    answers.push(`${key} ${await statusOf(request, addressOf(slug, key, names))}`);
  }
  return answers;
}

function expected(role: Role): readonly string[] {
  return KEYS.map((key) => `${key} ${ROUTES[key].here && mayOpen(role, key) ? 200 : 404}`);
}

test("PV-1 PV-2: every page answers each role as the table says, and members of another tenant find nothing at all", async ({
  browser,
  ledger,
  night,
}) => {
  test.slow();
  const names = await namesOf(ledger, night);
  const foreign = await aTenant(ledger);
  for (const role of ROLES) {
    const own = await asMember(browser, night, await anAccount(ledger, night.tenant.id, role));
    expect([role, await answersTo(own.request, night.slug, names)]).toEqual([role, expected(role)]);
    await own.close();
    const other = await asMember(browser, night, await anAccount(ledger, foreign.id, role));
    const nothing = KEYS.map((key) => `${key} 404`);
    expect([role, await answersTo(other.request, night.slug, names)]).toEqual([role, nothing]);
    await other.close();
  }
});
