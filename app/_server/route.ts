import { randomUUID } from "node:crypto";
import type { NextRequest } from "next/server";
import type { z } from "zod";
import { canonicalText, type JsonValue } from "@/lib/domain/canonical";
import { Refusal, refusalOfIssues } from "@/lib/domain/refusal";
import type { Permission } from "@/lib/domain/role";
import { answerOnce, type KeptAnswer } from "@/lib/flows/answer-once";
import { actorName, type ConsoleContext } from "@/lib/flows/context";
import type { SessionFacts } from "@/lib/queries/session";
import { consoleContext, consoleMetrics } from "@/lib/runtime/console";
import { jsonBody } from "./body";
import { bearerOf, type Caller, callerOf, personOf } from "./credential";
import { refuseForeignOrigin } from "./origin";
import { failureResponse, fileResponse, jsonResponse, type StreamedFile } from "./respond";

type Schema = z.ZodType | undefined;
type Parsed<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined;

/** What a route says about itself; the handler is checked by it and openapi.json is drawn from it. */
export interface Declaration<
  B extends Schema = Schema,
  Q extends Schema = Schema,
  P extends Schema = Schema,
> {
  /** One line for openapi.json: "Propose an extension". */
  readonly summary: string;
  /** Schema of the JSON body; without one a body is neither needed nor read. */
  readonly body?: B;
  /** Schema of the query; a repeated parameter arrives as an array, all others as text. */
  readonly query?: Q;
  /** Schema of the path's parameters other than the tenant's slug. */
  readonly params?: P;
  /** Schema of the answer, for openapi.json. */
  readonly answer?: z.ZodType;
  /** Status of an answer that is no refusal; 200 unless said. */
  readonly status?: number;
  /** False where an answer may hold contact details, which must not be kept for repeats (PV-3). */
  readonly remembers?: boolean;
}

export interface TenantDeclaration<B extends Schema, Q extends Schema, P extends Schema>
  extends Declaration<B, Q, P> {
  readonly permission: Permission;
}

interface Inputs<B extends Schema, Q extends Schema, P extends Schema> {
  readonly ctx: ConsoleContext;
  readonly body: Parsed<B>;
  readonly query: Parsed<Q>;
  readonly params: Parsed<P>;
  readonly request: NextRequest;
  readonly requestId: string;
}

export type TenantInputs<B extends Schema, Q extends Schema, P extends Schema> = Inputs<B, Q, P> &
  Caller;

export type PersonInputs<B extends Schema, Q extends Schema, P extends Schema> = Inputs<B, Q, P> & {
  readonly session: SessionFacts;
};

interface PathContext {
  /** Undefined for a path without parameters. */
  readonly params: Promise<Record<string, string> | undefined>;
}

/** A Next route handler that carries its declaration. */
export interface DeclaredHandler {
  (request: NextRequest, context: PathContext): Promise<Response>;
  readonly declaration: Declaration & { readonly permission?: Permission };
}

/**
 * Wraps a handler under `/api/v1/t/[tenant]/…`: credential and membership from the database, origin, size, strict
 * JSON, schemas, Idempotency-Key, problem documents. The handler gets parsed input, returns what to answer as
 * JSON and throws Refusal for everything it turns down.
 */
export function route<
  B extends Schema = undefined,
  Q extends Schema = undefined,
  P extends Schema = undefined,
>(
  declaration: TenantDeclaration<B, Q, P>,
  handler: (inputs: TenantInputs<B, Q, P>) => Promise<unknown>,
): DeclaredHandler {
  return declared(declaration, async (call) => {
    const { tenant: slug = "", ...path } = call.path;
    const caller = await callerOf(call.ctx, call.request, slug, declaration.permission);
    const inputs = await inputsOf(call, declaration, path);
    const work = async () =>
      answerOf(
        declaration,
        await handler({ ...inputs.parsed, ...caller } as TenantInputs<B, Q, P>),
      );
    return keyed(call, declaration, caller, inputs.content, work);
  });
}

/** Like `route`, for an answer that is a file. A repeat is made anew: what it answered is not kept. */
export function streamRoute<
  B extends Schema = undefined,
  Q extends Schema = undefined,
  P extends Schema = undefined,
>(
  declaration: TenantDeclaration<B, Q, P>,
  handler: (inputs: TenantInputs<B, Q, P>) => Promise<StreamedFile>,
): DeclaredHandler {
  return declared(declaration, async (call) => {
    const { tenant: slug = "", ...path } = call.path;
    const caller = await callerOf(call.ctx, call.request, slug, declaration.permission);
    const { parsed } = await inputsOf(call, declaration, path);
    const file = await handler({ ...parsed, ...caller } as TenantInputs<B, Q, P>);
    return fileResponse(file, call.requestId);
  });
}

/** Like `route`, for what belongs to the signed-in person and to no tenant (`/api/v1/me/…`). */
export function personRoute<
  B extends Schema = undefined,
  Q extends Schema = undefined,
  P extends Schema = undefined,
>(
  declaration: Declaration<B, Q, P>,
  handler: (inputs: PersonInputs<B, Q, P>) => Promise<unknown>,
): DeclaredHandler {
  return declared(declaration, async (call) => {
    const session = await personOf(call.request);
    const { parsed } = await inputsOf(call, declaration, call.path);
    return answerOf(
      declaration,
      await handler({ ...parsed, session } as unknown as PersonInputs<B, Q, P>),
    );
  });
}

interface Call {
  readonly ctx: ConsoleContext;
  readonly request: NextRequest;
  readonly requestId: string;
  readonly path: Record<string, string>;
}

function declared(
  declaration: DeclaredHandler["declaration"],
  answer: (call: Call) => Promise<KeptAnswer | Response>,
): DeclaredHandler {
  const handler = async (request: NextRequest, context: PathContext): Promise<Response> => {
    const requestId = randomUUID();
    let ctx: ConsoleContext | null = null;
    try {
      ctx = consoleContext();
      if (isWrite(request)) refuseForeignOrigin(request, bearerOf(request) === null);
      const path = (await context.params) ?? {};
      const given = await answer({ ctx, request, requestId, path });
      const isFile = given instanceof Response;
      return counted(request, isFile ? given : jsonResponse(given.status, given.text, requestId));
    } catch (error) {
      return counted(request, failureResponse(error, requestId, ctx?.log ?? null));
    }
  };
  return Object.assign(handler, { declaration });
}

function counted({ method }: NextRequest, response: Response): Response {
  const status = String(response.status);
  consoleMetrics().count("deadline_ledger_http_answers_total", { method, status });
  return response;
}

function isWrite(request: NextRequest): boolean {
  return request.method !== "GET" && request.method !== "HEAD";
}

async function inputsOf(call: Call, declaration: Declaration, path: Record<string, string>) {
  const params = parsedBy(declaration.params, decoded(path));
  const query = parsedBy(declaration.query, queryOf(call.request));
  const json: JsonValue = declaration.body ? await jsonBody(call.request) : null;
  const body = parsedBy(declaration.body, json);
  const { method, nextUrl } = call.request;
  return {
    parsed: {
      ctx: call.ctx,
      request: call.request,
      requestId: call.requestId,
      params,
      query,
      body,
    },
    content: `${method} ${nextUrl.pathname}\n${canonicalText(json)}`,
  };
}

function parsedBy(schema: Schema, value: unknown): unknown {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(value);
  if (!result.success) throw refusalOfIssues(result.error);
  return result.data;
}

function decoded(path: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(
      Object.entries(path).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch (error) {
    // A path that is no percent-encoding names nothing.
    if (error instanceof URIError) throw new Refusal("not_found");
    throw error;
  }
}

function queryOf(request: NextRequest): Record<string, string | string[]> {
  const found = request.nextUrl.searchParams;
  return Object.fromEntries(
    [...new Set(found.keys())].map((name) => {
      const values = found.getAll(name);
      return [name, values.length > 1 ? values : (values[0] ?? "")];
    }),
  );
}

function answerOf(declaration: Declaration, result: unknown): KeptAnswer {
  return { status: declaration.status ?? 200, text: JSON.stringify(result ?? {}) };
}

const IDEMPOTENCY_KEY_LENGTH_MAX = 200;

/** Gives repeats of a write with the same Idempotency-Key the first answer (API-1). */
async function keyed(
  call: Call,
  declaration: Declaration,
  caller: Caller,
  content: string,
  work: () => Promise<KeptAnswer>,
): Promise<KeptAnswer> {
  const key = call.request.headers.get("idempotency-key");
  if (key === null || !isWrite(call.request)) return work();
  if (key.length > IDEMPOTENCY_KEY_LENGTH_MAX) {
    throw new Refusal("key_too_long", {
      values: { n: IDEMPOTENCY_KEY_LENGTH_MAX, m: key.length },
    });
  }
  if (declaration.remembers === false || key === "") return work();
  const credential = actorName(caller.actor);
  const request = { tenantId: caller.actor.tenantId, credential, key, content };
  const result = await answerOnce(call.ctx, request, work);
  if (result.kind === "under_way") throw new Refusal("request_in_progress");
  if (result.kind === "other_content") throw new Refusal("idempotency_key_reused");
  return result.answer;
}
