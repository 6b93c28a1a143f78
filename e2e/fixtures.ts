import { randomUUID } from "node:crypto";
import AxeBuilder from "@axe-core/playwright";
import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { encode } from "next-auth/jwt";
import { Client } from "pg";
import { demoAccountId } from "@/prisma/demo/people";
import { waitUntilPagesListen } from "./listening";
import { system } from "./system";

/** Short names of the demo accounts, as the acceptance table of the screens uses them. */
export const PEOPLE = {
  AM1: "am1@north.example",
  AM2: "am2@north.example",
  OC1: "oc1@north.example",
  OC2: "oc2@north.example",
  CO: "co@north.example",
  AD: "ad@north.example",
  SOUTH_AD: "ad@south.example",
  SOUTH_AM1: "am1@south.example",
  SOUTH_AM2: "am2@south.example",
  ROBIN: "robin@both.example",
} as const;

export type Person = keyof typeof PEOPLE;

interface Fixtures {
  /** Runs one statement as the schema's owner, who sees every tenant. */
  readonly sql: <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;
  /** Signs the person in within a browser context by a session row and its cookie; returns the session's id. */
  readonly signInAs: (person: Person, context?: BrowserContext) => Promise<string>;
}

export const test = base.extend<Fixtures>({
  browser: [
    async ({ browser }, use) => {
      waitUntilPagesListen(browser);
      await use(browser);
    },
    { scope: "worker" },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
  sql: async ({}, use) => {
    const client = new Client({ connectionString: system().databaseUrl });
    await client.connect();
    await use(async <Row>(text: string, values: readonly unknown[] = []) => {
      const { rows } = await client.query(text, [...values]);
      return rows as Row[];
    });
    await client.end();
  },
  signInAs: async ({ sql, context: own }, use) => {
    await use(async (person, context = own) => {
      const accountId = demoAccountId(PEOPLE[person]);
      const sid = randomUUID();
      await sql(
        `INSERT INTO sessions (id, account_id, expires_at) VALUES ($1, $2, now() + interval '1 hour')`,
        [sid, accountId],
      );
      await context.addCookies([
        {
          name: "next-auth.session-token",
          value: await encode({
            token: { sub: accountId, sid },
            secret: system().env.NEXTAUTH_SECRET ?? "",
          }),
          url: system().url,
          httpOnly: true,
          sameSite: "Lax",
        },
      ]);
      return sid;
    });
  },
});

export { expect };

const AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * Expects that axe finds nothing on the page as it is now. No page has a frame from elsewhere, so axe may stay
 * within the page, where it would otherwise open a second one to add up what it found; and what is in order needs
 * no description.
 */
export async function expectNoAxeFinding(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .options({ runOnly: { type: "tag", values: AXE_TAGS }, resultTypes: ["violations"] })
    .setLegacyMode()
    .analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target)}`);
  expect(found).toEqual([]);
}

/** Collects what the browser complains about, such as a blocked style, until the end of the test. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}

/** A POST by hand with the page's cookies: what somebody could send without our pages. */
export async function postByHand(
  page: Page,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await page.request.post(path, {
    data: body,
    headers: { origin: new URL(system().url).origin, ...headers },
  });
  return { status: response.status(), body: (await response.json()) as Record<string, unknown> };
}
