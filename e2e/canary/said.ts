import { randomUUID } from "node:crypto";
import { encode } from "next-auth/jwt";
import { system } from "@/e2e/system";
import { demoAccountId } from "@/prisma/demo/people";

export type Sql = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** Something that the product gave out: where, without any id of this run, and the whole text. */
export interface Said {
  readonly where: string;
  readonly text: string;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly json: Record<string, unknown>;
  readonly bytes: Buffer;
}

/** A signed-in member who asks by HTTP; whatever comes back, refusals included, is added to `said`. */
export interface Asker {
  readonly name: string;
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
}

/** Signs the account in by a session row and its cookie. */
export async function askerAs(sql: Sql, said: Said[], login: string): Promise<Asker> {
  const [accountId, sid] = [demoAccountId(login), randomUUID()];
  await sql(
    `INSERT INTO sessions (id, account_id, expires_at) VALUES ($1, $2, now() + interval '1 hour')`,
    [sid, accountId],
  );
  const secret = system().env.NEXTAUTH_SECRET ?? "";
  const cookie = `next-auth.session-token=${await encode({ token: { sub: accountId, sid }, secret })}`;
  const ask = (path: string, init: RequestInit = {}) =>
    heard(said, `${init.method ?? "GET"} ${path} as ${login}`, path, {
      ...init,
      headers: { cookie, origin: new URL(system().url).origin, ...init.headers },
    });
  return {
    name: login,
    get: (path) => ask(path),
    post: (path, body, headers = {}) =>
      ask(path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
  };
}

/** Asks the console and notes head and body of the answer. */
export async function heard(
  said: Said[],
  where: string,
  path: string,
  init: RequestInit = {},
): Promise<Answer> {
  const answer = await fetch(new URL(path, system().url), { redirect: "manual", ...init });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const text = bytes.toString("utf8");
  const head = JSON.stringify([...answer.headers]);
  said.push({ where: withoutIds(where), text: `${answer.status} ${head}\n${text}` });
  return { status: answer.status, text, json: parsed(text), bytes };
}

/** A place that is the same in every run. */
function withoutIds(where: string): string {
  return where
    .replace(/\?.*?(?= as |$)/, "")
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "*")
    .replace(/\/(subjects|requests)\/[^/ ]+/g, "/$1/*");
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    // Pages and files are no JSON; who expects some looks at the status first.
    return {};
  }
}
