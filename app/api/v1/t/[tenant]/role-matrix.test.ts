import { randomBytes, randomUUID } from "node:crypto";
import { NextRequest } from "next/server";
import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DeclaredHandler } from "@/app/_server/route";
import { DECLARATIONS } from "@/app/api/v1/declarations";
import { sha256Hex } from "@/lib/domain/canonical";
import {
  KEY_SCOPES,
  keyMay,
  PERMISSIONS,
  type Permission,
  ROLES,
  roleMay,
} from "@/lib/domain/role";
import type { Actor } from "@/lib/flows/context";
import {
  aMember,
  anApiKey,
  aTenant,
  type TestLedger,
  type TestTenant,
  testLedger,
} from "@/lib/testing/tenants";

const ORIGIN = "http://localhost:3999";
const SECRET = randomBytes(32).toString("hex");
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Every act of the API within a tenant, with the permission that it declares. */
const ACTS = Object.entries(DECLARATIONS)
  .filter(([path]) => path.startsWith("/api/v1/t/"))
  .flatMap(([path, handlers]) =>
    METHODS.flatMap((method) => {
      const handler = handlers[method];
      const permission = handler?.declaration.permission;
      return handler && permission ? [{ path, method, handler, permission }] : [];
    }),
  );

let ledger: TestLedger;
let ours: TestTenant;
let theirs: TestTenant;

beforeAll(async () => {
  ledger = await testLedger();
  (globalThis as { deadlineConsole?: unknown }).deadlineConsole = ledger.ctx;
  process.env.DATABASE_URL = ledger.url;
  process.env.DEADLINE_LEDGER_VAULT_KEY = ledger.ctx.vaultKey.toString("base64");
  process.env.NEXTAUTH_SECRET = SECRET;
  process.env.NEXTAUTH_URL = ORIGIN;
  ours = await aTenant(ledger.owner);
  theirs = await aTenant(ledger.owner);
});
afterAll(() => ledger.close());

type Credential = Record<string, string>;

async function cookieOf({ id: accountId }: Actor): Promise<Credential> {
  const sid = randomUUID();
  const expiresAt = new Date(Date.now() + 3_600_000);
  await ledger.owner.session.create({ data: { id: sid, accountId, expiresAt } });
  const token = await encode({ token: { sid }, secret: SECRET });
  return { cookie: `next-auth.session-token=${token}` };
}

async function keyOf(scopes: readonly string[]): Promise<Credential> {
  const key = await anApiKey(ledger.owner, await aMember(ledger.owner, ours.tenantId), scopes);
  const secret = `dl_${randomBytes(24).toString("hex")}`;
  await ledger.owner.$executeRaw`
    UPDATE api_keys SET key_hash = ${sha256Hex(secret)} WHERE id = ${key.id}::uuid`;
  return { authorization: `Bearer ${secret}` };
}

/** Names of what does not exist: an act that gets past the door finds nothing to act on. */
function nothing(path: string, slug: string): Record<string, string> {
  const names = [...path.matchAll(/\{([a-zA-Z]+)\}/g)].map(([, name = ""]) => name);
  const value = (name: string) =>
    name === "kind" ? "extend" : name === "month" ? "2027-03" : randomUUID();
  return Object.fromEntries(names.map((name) => [name, name === "tenant" ? slug : value(name)]));
}

interface Answer {
  readonly status: number;
  readonly code: unknown;
}

async function call(
  { path, method, handler }: { path: string; method: string; handler: DeclaredHandler },
  credential: Credential,
  slug = ours.slug,
): Promise<Answer> {
  const request = new NextRequest(`${ORIGIN}/api/v1/t/x`, {
    method,
    headers: { "content-type": "application/json", origin: ORIGIN, ...credential },
    ...(method === "GET" || method === "DELETE" ? {} : { body: '{"nobody":"wants this"}' }),
  });
  const response = await handler(request, { params: Promise.resolve(nothing(path, slug)) });
  const body = (await response.json()) as { code?: unknown };
  return { status: response.status, code: body.code };
}

function refusedAtTheDoor({ status, code }: Answer): boolean {
  return status === 401 || code === "not_permitted" || code === "access_ended";
}

test("PV-1: every permission of the table is asked for by an act of the API", () => {
  const used = new Set(ACTS.map(({ permission }) => permission));
  const unused = (Object.keys(PERMISSIONS) as Permission[]).filter((each) => !used.has(each));
  expect(unused).toEqual(UNUSED);
});

/** Asked for by pages only. */
const UNUSED: readonly string[] = [];

test.each(ROLES)(
  "PV-1: %s passes exactly the doors that the permission table opens",
  async (role) => {
    const cookie = await cookieOf(await aMember(ledger.owner, ours.tenantId, role));
    for (const act of ACTS) {
      const answer = await call(act, cookie);
      const name = `${role} ${act.method} ${act.path}`;
      if (roleMay(role, act.permission)) {
        expect([name, answer, refusedAtTheDoor(answer)]).toEqual([name, answer, false]);
      } else {
        expect([name, answer]).toEqual([name, { status: 403, code: "not_permitted" }]);
      }
    }
  },
);

/** What waits for the one who asks: a key has nothing that waits for it. */
const FOR_PEOPLE: readonly string[] = ["/api/v1/t/{tenant}/pulse"];

test("API-2: a key passes only what its scopes open, and never approves, decides or resumes", async () => {
  for (const scope of KEY_SCOPES) {
    const credential = await keyOf([scope]);
    for (const act of ACTS) {
      const answer = await call(act, credential);
      const name = `key:${scope} ${act.method} ${act.path}`;
      const may = keyMay([scope], act.permission) && !FOR_PEOPLE.includes(act.path);
      expect([name, answer, answer.code === "not_permitted"]).toEqual([name, answer, !may]);
    }
  }
  for (const permission of [
    "operation.approve",
    "review.decide",
    "review.override",
    "control.resume",
  ] as const) {
    expect(keyMay(KEY_SCOPES, permission)).toBe(false);
  }
});

test.each(ROLES)(
  "PV-2: as %s of another tenant nothing is there, whatever one may do at home",
  async (role) => {
    const cookie = await cookieOf(await aMember(ledger.owner, theirs.tenantId, role));
    for (const act of ACTS) {
      const name = `${act.method} ${act.path}`;
      expect([name, await call(act, cookie)]).toEqual([name, { status: 404, code: "not_found" }]);
    }
  },
);

test("PV-1: without a credential, and after removal, no door opens", async () => {
  const gone = await aMember(ledger.owner, ours.tenantId, "admin");
  const cookie = await cookieOf(gone);
  await ledger.owner.membership.updateMany({
    where: { accountId: gone.id },
    data: { removedAt: new Date() },
  });
  for (const act of ACTS) {
    const name = `${act.method} ${act.path}`;
    expect([name, (await call(act, {})).status]).toEqual([name, 401]);
    const after = await call(act, cookie);
    expect([name, after.status === 403 || after.status === 404]).toEqual([name, true]);
  }
});
