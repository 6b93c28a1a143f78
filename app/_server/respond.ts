import { problemOf, Refusal } from "@/lib/domain/refusal";
import type { Log } from "@/lib/flows/context";
import { describeError } from "@/lib/runtime/log";

const PROBLEM_TYPE = "application/problem+json";

/** A JSON answer, never kept by any cache on the way. */
export function jsonResponse(status: number, text: string, requestId: string): Response {
  return new Response(text, { status, headers: headersOf("application/json", requestId) });
}

/** A file that is given out piece by piece. */
export interface StreamedFile {
  readonly name: string;
  /** Media type. */
  readonly type: string;
  /** Size, where it is known beforehand. */
  readonly bytes?: number;
  readonly content: AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/** Gives a file out as it is read; an error on the way breaks the answer off, so that it is not taken for whole. */
export function fileResponse(file: StreamedFile, requestId: string): Response {
  const headers = headersOf(file.type, requestId);
  headers.set("content-disposition", `attachment; filename="${file.name}"`);
  headers.set("x-content-type-options", "nosniff");
  if (file.bytes !== undefined) headers.set("content-length", String(file.bytes));
  return new Response(bodyOf(file.content), { headers });
}

function bodyOf(content: StreamedFile["content"]): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pieces = content[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => {
      await pieces.return?.();
    },
  });
}

/** The RFC 9457 answer for whatever a handler threw (PV-7). What is no refusal tells nothing but its request id. */
export function failureResponse(error: unknown, requestId: string, log: Log | null): Response {
  if (error instanceof Refusal) {
    const body = JSON.stringify(problemOf(error, requestId));
    const headers = headersOf(PROBLEM_TYPE, requestId);
    const wait = error.extensions.retry_after;
    if (typeof wait === "number") headers.set("retry-after", String(wait));
    return new Response(body, { status: error.status, headers });
  }
  log?.error({ event: "request_failed", requestId, error: describeError(error) });
  const body = JSON.stringify({
    type: "urn:deadline-ledger:problem:internal",
    title: "Something went wrong here",
    status: 500,
    detail: "The request could not be answered. Give the request id when you ask about it.",
    code: "internal",
    request_id: requestId,
  });
  return new Response(body, { status: 500, headers: headersOf(PROBLEM_TYPE, requestId) });
}

function headersOf(contentType: string, requestId: string): Headers {
  return new Headers({
    "content-type": contentType,
    "cache-control": "no-store",
    "x-request-id": requestId,
  });
}
