import { afterAll, beforeAll, expect, test } from "vitest";
import { type BusinessDeadline, BusinessDeadlineSchema } from "@/lib/domain/business-deadline";
import { canonicalText } from "@/lib/domain/canonical";
import { offsetAt, ZONE_DATA_VERSION } from "@/lib/domain/zone";
import { setBusinessDeadline } from "@/lib/store/requests";
import { aRequest, aTenant, type TestTenant } from "@/lib/testing/tenants";
import { openWorkshop, type Workshop } from "@/lib/testing/workshop";
import { compareZoneRules, warnOfZoneRules } from "./compare-zone-rules";
import type { LogEntry } from "./context";
import { runtimeOffset } from "./runtime-offset";
import { sweepZones } from "./sweep-zones";
import type { WorkerContext } from "./worker-context";

let shop: Workshop;
let tenant: TestTenant;
let worker: WorkerContext;
let lines: LogEntry[];

beforeAll(async () => {
  shop = await openWorkshop();
  tenant = await aTenant(shop.ledger.owner);
  lines = [];
  const keep = (entry: LogEntry) => void lines.push(entry);
  worker = await shop.worker({ log: { debug: keep, info: keep, warn: keep, error: keep } });
});
afterAll(() => shop.close());

/** Vancouver's last winter hour: approved while the law still had one, and after. */
const OLD: BusinessDeadline = BusinessDeadlineSchema.parse({
  date: "2027-12-15",
  time: "17:00",
  zone: "America/Vancouver",
  choice: "only",
  instant: "2027-12-16T01:00:00Z",
  offset: "-08:00",
  zoneData: "2025c",
});
const NEW: BusinessDeadline = {
  ...OLD,
  instant: "2027-12-16T00:00:00Z",
  offset: "-07:00",
  zoneData: ZONE_DATA_VERSION,
};

async function approved(deadline: BusinessDeadline): Promise<string> {
  const { ref } = await aRequest(shop.ledger.owner, tenant);
  await set(ref, deadline);
  return ref;
}

function set(ref: string, deadline: BusinessDeadline): Promise<void> {
  return setBusinessDeadline(shop.ledger.owner, tenant.tenantId, ref, deadline);
}

function rowOf(ref: string) {
  const key = { tenantId: tenant.tenantId, ref };
  return shop.ledger.owner.request.findUniqueOrThrow({ where: { tenantId_ref: key } });
}

function itemsOf(ref: string) {
  const where = { tenantId: tenant.tenantId, requestRef: ref };
  return shop.ledger.owner.reviewItem.findMany({ where });
}

async function sweepUntilIdle(): Promise<void> {
  while ((await sweepZones(worker)) > 0);
}

test("TM-6 C-23: a deadline approved under older rules is reported once and never moved", async () => {
  const ref = await approved(OLD);
  await sweepUntilIdle();
  const [item, ...more] = await itemsOf(ref);
  expect(more).toEqual([]);
  expect(item).toMatchObject({ reason: "zone_rules_changed", owner: "team:account-managers" });
  expect(JSON.parse(item?.evidence ?? "")).toEqual({
    zone: "America/Vancouver",
    a: "2027-12-16T01:00:00Z",
    b: "2027-12-16T00:00:00Z",
    rules_then: "2025c",
    rules_now: ZONE_DATA_VERSION,
  });
  const row = await rowOf(ref);
  expect(row.businessDeadlineAt).toEqual(new Date("2027-12-16T01:00:00Z"));
  expect(row.businessDeadline).toBe(canonicalText(OLD));
  await shop.ledger.owner.reviewItem.updateMany({
    where: { requestRef: ref },
    data: { settledAt: new Date() },
  });
  await sweepUntilIdle();
  expect(await itemsOf(ref)).toHaveLength(1);
});

test("TM-6: words that still mean their instant are noted and looked at once", async () => {
  const ref = await approved({ ...NEW, zoneData: "2025c" });
  expect(await sweepZones(worker)).toBeGreaterThan(0);
  expect(await itemsOf(ref)).toEqual([]);
  expect((await rowOf(ref)).zoneChecked).toBe(ZONE_DATA_VERSION);
  await sweepUntilIdle();
  expect(await sweepZones(worker)).toBe(0);
});

test("TM-6: new words are looked at again, also when an older console computed them", async () => {
  const ref = await approved(NEW);
  await sweepUntilIdle();
  await set(ref, OLD);
  expect((await rowOf(ref)).zoneChecked).toBe("");
  await sweepUntilIdle();
  expect(await itemsOf(ref)).toHaveLength(1);
});

test("TM-6: an ended request is left alone", async () => {
  const ref = await approved(OLD);
  await shop.ledger.owner.request.update({
    where: { tenantId_ref: { tenantId: tenant.tenantId, ref } },
    data: { mirrorStatus: "completed", mirrorTerminal: true },
  });
  await sweepUntilIdle();
  expect(await itemsOf(ref)).toEqual([]);
});

test("TM-6 C-23: a runtime with older rules than ours is named, and one with the same is not", async () => {
  const now = "2026-10-01T12:00:00Z";
  const older = (zone: string, instant: string) =>
    zone === "America/Vancouver" && instant >= "2026-11-01T09:00:00Z"
      ? -480
      : offsetAt(zone, instant);
  const zones = ["America/Vancouver", "Europe/Berlin", "no/zone"];
  const old = await compareZoneRules(shop.ledger.ctx.db, zones, now, older);
  expect(old.zones).toEqual(["America/Vancouver", "Europe/Berlin"]);
  expect(old.runtime).toEqual([
    { zone: "America/Vancouver", instant: "2026-11-01T12:00:00Z", ours: -420, theirs: -480 },
  ]);
  expect((await compareZoneRules(shop.ledger.ctx.db, zones, now, offsetAt)).runtime).toEqual([]);
});

test("TM-6: the runtime and the database are asked with their own rules and agree with ours where no law changed", async () => {
  const zones = ["Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu", "America/New_York"];
  const found = await compareZoneRules(shop.ledger.ctx.db, zones, "2026-12-01T12:00:00Z");
  expect(found.runtime).toEqual([]);
  expect(found.database).toEqual([]);
  expect(runtimeOffset("Asia/Kathmandu", "2026-12-01T12:00:00Z")).toBe(345);
  expect(runtimeOffset("America/St_Johns", "2026-12-01T12:00:00Z")).toBe(-210);
  expect(runtimeOffset("Mars/Base", "2026-12-01T12:00:00Z")).toBeNull();
});

test("C-23: at start-up the zones in use are compared, under a role that sees no tenant", async () => {
  await approved(NEW);
  const heard: LogEntry[] = [];
  const log = { ...worker.log, warn: (entry: LogEntry) => void heard.push(entry) };
  await warnOfZoneRules(shop.ledger.ctx.db, log);
  const theirs = runtimeOffset("America/Vancouver", "2027-12-15T12:00:00Z");
  const named = heard.filter(
    ({ kind, zone }) => kind === "runtime" && zone === "America/Vancouver",
  );
  // Whichever rules this runtime has: it is named exactly when they are not ours.
  expect(named).toHaveLength(theirs === -420 ? 0 : 1);
  for (const entry of heard) expect(entry.event).toBe("zone_rules_differ");
});
