import { type JsonValue, parseStrictJson } from "@/lib/domain/canonical";
import { CanonicalError } from "@/lib/domain/canonical-error";
import { Refusal, refusalOfCanonical } from "@/lib/domain/refusal";

/** No body of ours comes near it; reading stops there, whatever the caller announced. */
export const BODY_BYTES_MAX = 256 * 1024;

/** The bytes of a body. Throws Refusal `body_too_large` as soon as there are more than `bytesMax`. */
export async function bodyBytes(request: Request, bytesMax = BODY_BYTES_MAX): Promise<Uint8Array> {
  const tooLarge = () => new Refusal("body_too_large", { values: { n: bytesMax / 1024 } });
  if (Number(request.headers.get("content-length") ?? 0) > bytesMax) throw tooLarge();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (const reader = request.body?.getReader(); reader; ) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > bytesMax) {
      await reader.cancel();
      throw tooLarge();
    }
    parts.push(value);
  }
  return Buffer.concat(parts);
}

/** The body as JSON that lost nothing on the way (ID-3). Throws Refusal. */
export async function jsonBody(request: Request): Promise<JsonValue> {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new Refusal("body_type");
  const bytes = await bodyBytes(request);
  try {
    return parseStrictJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof CanonicalError) throw refusalOfCanonical(error);
    // Bytes that are no UTF-8.
    if (error instanceof TypeError) throw new Refusal("body_unreadable", { values: { n: 0 } });
    throw error;
  }
}
