import { createHmac } from "node:crypto";
import {
  beginHttpRequest,
  type HttpRequestName,
  keepHttpAnswer,
  releaseHttpRequest,
} from "@/lib/store/http-idempotency";
import type { ConsoleContext } from "./context";

export interface OnceRequest {
  readonly tenantId: string;
  /** Who asks, as `actorName` writes it: two people may use the same key. */
  readonly credential: string;
  /** The value of the `Idempotency-Key` header. */
  readonly key: string;
  /** Everything that makes it the same request: method, path, canonical body. */
  readonly content: string;
}

export interface KeptAnswer {
  readonly status: number;
  readonly text: string;
}

export type OnceResult =
  | { readonly kind: "answered"; readonly answer: KeptAnswer; readonly repeated: boolean }
  | { readonly kind: "under_way" }
  | { readonly kind: "other_content" };

/**
 * Runs a request once for its key and gives the kept answer to every repeat (API-1). A refusal or an error, which
 * changed nothing, is not kept: `work` throws it and the key is free for a corrected request.
 */
export async function answerOnce(
  ctx: ConsoleContext,
  request: OnceRequest,
  work: () => Promise<KeptAnswer>,
): Promise<OnceResult> {
  const name: HttpRequestName = {
    tenantId: request.tenantId,
    credential: request.credential,
    keyDigest: digest(ctx, "key", request.key),
    requestDigest: digest(ctx, "request", request.content),
  };
  const found = await beginHttpRequest(ctx.db, name);
  if (found.kind === "answered") {
    return {
      kind: "answered",
      answer: { status: found.status, text: found.answer },
      repeated: true,
    };
  }
  if (found.kind !== "yours") return found;
  let answer: KeptAnswer;
  try {
    answer = await work();
  } catch (error) {
    await releaseHttpRequest(ctx.db, name);
    throw error;
  }
  await keepHttpAnswer(ctx.db, name, answer);
  return { kind: "answered", answer, repeated: false };
}

/** Keyed, because a body may be guessable and the table outlives it. */
function digest(ctx: ConsoleContext, purpose: string, text: string): string {
  return createHmac("sha256", ctx.vaultKey)
    .update(`http idempotency ${purpose}\n${text}`)
    .digest("hex");
}
