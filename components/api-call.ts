import type { FieldProblem } from "@/lib/domain/refusal";

/** An RFC 9457 problem as the API gives it. */
export interface ApiProblem {
  readonly code: string;
  readonly status: number;
  readonly detail: string;
  readonly request_id?: string;
  readonly fields?: readonly FieldProblem[];
  readonly [extension: string]: unknown;
}

export type ApiAnswer<T> =
  | { readonly kind: "ok"; readonly data: T }
  /** The server turned it down for certain: nothing has changed. */
  | { readonly kind: "refused"; readonly problem: ApiProblem }
  /** No usable answer came. What was asked may have been done (screens 4.1). */
  | { readonly kind: "lost" };

/** How long to wait for an answer before it counts as lost. */
const ANSWER_WAIT_MS = 20_000;

/** Sends one write. The key names this form's request, so that a repeat is never a second act (API-1). */
export function postJson<T>(url: string, body: unknown, key?: string): Promise<ApiAnswer<T>> {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (key !== undefined) headers["idempotency-key"] = key;
  return call<T>(url, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Sends a whole setting; the same again changes nothing, so it needs no key. */
export function putJson<T>(url: string, body: unknown): Promise<ApiAnswer<T>> {
  const headers = { "content-type": "application/json" };
  return call<T>(url, { method: "PUT", headers, body: JSON.stringify(body) });
}

/** Reads one resource. */
export function getJson<T>(url: string): Promise<ApiAnswer<T>> {
  return call<T>(url, { method: "GET" });
}

async function call<T>(url: string, init: RequestInit): Promise<ApiAnswer<T>> {
  try {
    const response = await fetch(url, {
      ...init,
      cache: "no-store",
      signal: AbortSignal.timeout(ANSWER_WAIT_MS),
    });
    const data: unknown = await response.json();
    if (response.ok) return { kind: "ok", data: data as T };
    const problem = data as ApiProblem;
    const certain = response.status < 500 && problem.code !== "request_in_progress";
    return certain ? { kind: "refused", problem } : { kind: "lost" };
  } catch {
    // A broken connection, a cut answer or a time-out: it says nothing about what was done.
    return { kind: "lost" };
  }
}
