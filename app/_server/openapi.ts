import {
  OpenAPIRegistry,
  OpenApiGeneratorV31,
  type ResponseConfig,
  type RouteConfig,
} from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import type { Declaration, DeclaredHandler } from "./route";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  request_id: z.string(),
  fields: z.array(z.object({ path: z.string(), sentence: z.string() })).optional(),
});

/** The OpenAPI 3.1 document of the declared paths, drawn from the schemas that the handlers parse with (API-1). */
export function openApiDocument(
  paths: Readonly<Record<string, Readonly<Record<string, DeclaredHandler>>>>,
) {
  const registry = new OpenAPIRegistry();
  registry.registerComponent("securitySchemes", "session", {
    type: "apiKey",
    in: "cookie",
    name: "next-auth.session-token",
  });
  registry.registerComponent("securitySchemes", "apiKey", { type: "http", scheme: "bearer" });
  for (const [path, handlers] of Object.entries(paths)) {
    for (const method of METHODS) {
      const handler = handlers[method];
      if (handler) registry.registerPath(pathConfig(path, method, handler.declaration));
    }
  }
  return new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: "3.1.0",
    info: { title: "Deadline Ledger", version: "1" },
  });
}

function pathConfig(
  path: string,
  method: (typeof METHODS)[number],
  declaration: DeclaredHandler["declaration"],
): RouteConfig {
  const { summary, permission, body } = declaration;
  const headers = method === "GET" ? {} : { headers: idempotencyKey };
  return {
    method: method.toLowerCase() as RouteConfig["method"],
    path,
    summary,
    ...(permission ? { description: `Needs the permission \`${permission}\`.` } : {}),
    security: permission ? [{ session: [] }, { apiKey: [] }] : [{ session: [] }],
    request: {
      ...objectPart("params", paramsOf(path, declaration)),
      ...objectPart("query", declaration.query),
      ...headers,
      ...(body
        ? { body: { required: true, content: { "application/json": { schema: body } } } }
        : {}),
    },
    responses: responsesOf(declaration),
  };
}

const idempotencyKey = z.object({ "Idempotency-Key": z.string().max(200).optional() });

function paramsOf(path: string, declaration: Declaration): z.ZodObject {
  const own = declaration.params instanceof z.ZodObject ? declaration.params.shape : {};
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  return z.object(
    Object.fromEntries(names.map((name) => [name, own[name] ?? z.string()])) as z.ZodRawShape,
  );
}

function objectPart(name: "params" | "query", schema: z.ZodType | undefined) {
  if (!(schema instanceof z.ZodObject) || Object.keys(schema.shape).length === 0) return {};
  return { [name]: schema };
}

function responsesOf(declaration: Declaration): Record<string, ResponseConfig> {
  const schema = declaration.answer ?? z.unknown();
  return {
    [declaration.status ?? 200]: {
      description: "Done",
      content: { "application/json": { schema } },
    },
    default: {
      description: "Turned down; nothing changed",
      content: { "application/problem+json": { schema: problem } },
    },
  };
}
