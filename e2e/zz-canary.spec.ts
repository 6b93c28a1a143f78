import { Client } from "pg";
import { canarySearch } from "@/lib/testing/canaries";
import { placesOf } from "./canary/places";
import { canariesOf, PLANTED } from "./canary/planted";
import { type Cast, runDeliveries, runErrors, runOperations, runTold } from "./canary/run";
import { type Asker, askerAs, heard, type Said, type Sql } from "./canary/said";
import { takeExports, takeLogs, takeMessages, takeMetrics, takeRows } from "./canary/taken";
import { test as base, expect, PEOPLE } from "./fixtures";
import { system } from "./system";

interface Fixtures {
  readonly cast: Cast;
  readonly said: Said[];
  /** Runs one statement at the sandbox platform, which knows what must be found nowhere else. */
  readonly platform: Sql;
}

const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
  said: async ({}, use) => use([]),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
  platform: async ({}, use) => {
    const client = new Client({ connectionString: system().sandboxDatabaseUrl });
    await client.connect();
    await use(async <Row>(text: string, values: readonly unknown[] = []) => {
      return (await client.query(text, [...values])).rows as Row[];
    });
    await client.end();
  },
  cast: async ({ sql, said }, use) => {
    const as = (person: keyof typeof PEOPLE) => askerAs(sql, said, PEOPLE[person]);
    await use({
      proposer: await as("AM1"),
      approver: await as("AM2"),
      onCall: await as("OC1"),
      officer: await as("CO"),
      admin: await as("AD"),
    });
  },
});

/** The only places where a canary may be, each by right and on record or shown once; every one has to show it. */
const BY_RIGHT = [
  ...["address", "signer"].map((name) => `a contact revealed to an account manager: ${name}`),
  ...[
    "address",
    "link",
    "message",
    "other address",
    "other signer",
    "phone",
    "signer",
    "title",
  ].map((name) => `a raw body revealed to an on-call engineer: ${name}`),
  "POST /api/v1/t/north/connections/*/secrets as ad@north.example: secret of deliveries",
  "POST /api/v1/t/north/notice-endpoints as ad@north.example: secret of a webhook",
  "POST /api/v1/t/north/outbox/subscribers as ad@north.example: secret of a subscriber",
];

/** Readings of the vault, which are answered with what was planted. */
async function reveal({ proposer, onCall }: Cast, sql: Sql, said: Said[]): Promise<void> {
  const reason = "The signer asked for a call.";
  const [signer] = await sql<{ ref: string }>(
    `SELECT s.subject_ref AS ref FROM request_signers s JOIN requests r USING (tenant_id)
     JOIN tenants t ON t.id = r.tenant_id
     WHERE t.slug = 'north' AND r.ref = s.request_ref AND s.signing_order = 1 ORDER BY r.created_at DESC LIMIT 1`,
  );
  await proposer.post(`/api/v1/t/north/subjects/${signer?.ref}/reveals`, { reason });
  renameLast(said, "a contact revealed to an account manager");
  const events = await sql<{ id: string }>(
    `SELECT e.id FROM inbox_events e JOIN tenants t ON t.id = e.tenant_id
     WHERE t.slug = 'north' AND e.body_sealed IS NOT NULL ORDER BY e.received_at DESC LIMIT 50`,
  );
  for (const { id } of events) {
    await onCall.post(`/api/v1/t/north/inbox/${id}/raw-reveals`, { reason });
    renameLast(said, "a raw body revealed to an on-call engineer");
  }
}

function renameLast(said: Said[], where: string): void {
  const last = said.pop();
  if (last !== undefined) said.push({ ...last, where });
}

/** Opens every page and reads every address of the API, four at a time. */
async function visitAll(askers: readonly Asker[], places: readonly string[]): Promise<void> {
  const visits = askers.flatMap((asker) => places.map((place) => () => asker.get(place)));
  const next = visits.values();
  const visitor = async () => {
    for (const visit of next) await visit();
  };
  await Promise.all([visitor(), visitor(), visitor(), visitor()]);
}

test("PV-4: no name, address, phone number, title, link or secret of the whole run is in a page, answer, error, export, mail, event, log, metric or row, but where a reading is on record", async ({
  cast,
  said,
  sql,
  platform,
}) => {
  // Several operations run to their end here, and every page is opened by every role.
  test.setTimeout(300_000);
  const secrets = [...(await runTold(cast))];
  await runOperations(cast, sql);
  secrets.push(await runDeliveries(cast, said, sql));
  await runErrors(cast, said);
  await takeExports(cast, said);
  const { proposer, onCall, officer, admin } = cast;
  await visitAll([proposer, onCall, officer, admin], await placesOf(sql, "north"));
  await heard(said, "GET /sign-in", "/sign-in");
  await reveal(cast, sql, said);
  await takeMessages(platform, said);
  await takeMetrics(said);
  await takeRows(sql, said);
  takeLogs(said);
  const search = canarySearch(await canariesOf(platform, secrets));
  const found = said.flatMap(({ where, text }) => search(text).map((name) => `${where}: ${name}`));
  expect([...new Set(found)].sort()).toEqual([...BY_RIGHT].sort());
  expect(said.length).toBeGreaterThan(400);
  expect(search(`planted: ${PLANTED.title}`)).toEqual(["title"]);
});

test("SM-4: the seals of the run are stamped by the sandbox's authority, and the console says so", async ({
  cast,
}) => {
  test.setTimeout(180_000);
  await expect
    .poll(
      async () => {
        const { json } = await cast.officer.get("/api/v1/t/north/history/checks");
        return (json.seal as { stampedAt: string | null } | null)?.stampedAt ?? null;
      },
      { timeout: 150_000, intervals: [1_000] },
    )
    .not.toBeNull();
  const page = await cast.officer.get("/t/north/history/verify");
  expect(page.text).toContain("stamped by an authority at");
});
