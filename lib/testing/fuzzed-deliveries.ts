import { createHmac } from "node:crypto";
import type { Delivery } from "@/lib/flows/delivery";
import { oneOf } from "./chance";
import { deliveryOf, eventBody, SECOND_SECRET } from "./deliveries";
import { WEBHOOK_SECRET } from "./workshop";

/** What a fuzzed delivery is about to try. */
export interface Fuzzed {
  readonly delivery: Delivery;
  readonly isAuthentic: boolean;
  /** The request whose mirror it may move, if it is understood. */
  readonly about: string | null;
}

const STATUSES = ["sent", "viewed", "partially_signed", "completed", "declined", "voided"];
const ODD = [
  "",
  "\u0000",
  "é",
  "𝒳",
  "\ud800",
  "a".repeat(5_000),
  "__proto__",
  "%s%n{x}",
  "' OR 1=1 --",
];

function oddText(chance: () => number): string {
  return oneOf(chance, ODD);
}

function bytes(chance: () => number, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => Math.floor(chance() * 256)));
}

/** A body that is an event about `about`, or something that only looks like one, or nothing at all. */
function bodyOf(chance: () => number, id: string, about: string): Buffer {
  const good = eventBody(id, about, oneOf(chance, STATUSES));
  const data = { request_id: about, status: "completed" };
  const makers: (() => string | Buffer)[] = [
    () => good,
    () => good,
    () => good.replace('"type"', '"type":"request.sent","type"'),
    () => good.slice(0, Math.floor(chance() * good.length)),
    () => `${good}${oddText(chance)}`,
    () => `\ufeff${good}`,
    () => bytes(chance, Math.floor(chance() * 400)),
    () => JSON.stringify({ id: oddText(chance), type: oddText(chance), data: oddText(chance) }),
    () => JSON.stringify({ type: "request.completed", data: { ...data, status: oddText(chance) } }),
    () => JSON.stringify({ type: "request.archived", data }),
    () =>
      JSON.stringify({ type: "request.completed", data: { ...data, request_id: oddText(chance) } }),
    () => JSON.stringify({ type: "request.completed", timestamp: oddText(chance), data }),
    () => JSON.stringify({ event: "DOCUMENT_COMPLETED", payload: { id: oddText(chance) } }),
    () => `{"type":"request.completed","data":${"[".repeat(200)}${"]".repeat(200)}}`,
    () => `{"type":"request.completed","n":1e999,"data":${JSON.stringify(data)}}`,
    () => `{"type":"request.completed","n":9007199254740993,"data":${JSON.stringify(data)}}`,
    () => oneOf(chance, ["", "null", "[]", "true", "1", '"x"', "{}", "{", "\u0000"]),
    () => JSON.stringify({ pad: "x".repeat(Math.floor(chance() * 60_000)), type: 7 }),
  ];
  return Buffer.from(oneOf(chance, makers)());
}

/** One delivery out of a seed. A third of them is signed as the platform signs. */
export function fuzzedDelivery(
  chance: () => number,
  connectionId: string,
  place: number,
  refs: readonly string[],
): Fuzzed {
  const about = oneOf(chance, refs);
  const id = chance() < 0.9 ? `fuzz_${place}` : `fuzz_${Math.floor(chance() * place)}`;
  const raw = bodyOf(chance, id, about);
  const nowSeconds = Math.floor(Date.now() / 1000);
  const signed = signature(WEBHOOK_SECRET, id, nowSeconds, raw);
  const isAuthentic = chance() < 1 / 3;
  const sent = deliveryOf(connectionId, id, nowSeconds, raw, signed);
  if (isAuthentic) return { delivery: sent, isAuthentic, about };
  return { delivery: broken(chance, sent), isAuthentic, about: null };
}

/** Over the bytes as they are: a library that takes text would change what is no UTF-8. */
function signature(secret: string, id: string, seconds: number, raw: Uint8Array): string {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signed = createHmac("sha256", key).update(`${id}.${seconds}.`).update(raw);
  return `v1,${signed.digest("base64")}`;
}

/** The same delivery with one thing wrong, so that it is not authentic. */
function broken(chance: () => number, sent: Delivery): Delivery {
  const { headers, raw } = sent;
  const id = headers["webhook-id"] ?? "";
  const now = Number(headers["webhook-timestamp"]);
  const withHeaders = (more: Record<string, string>) => ({
    ...sent,
    headers: { ...headers, ...more },
  });
  const stale = now + oneOf(chance, [-100_000, -400, 400, 100_000]);
  const ways: (() => Delivery)[] = [
    () => ({ ...sent, headers: {} }),
    () => ({ ...sent, raw: Buffer.concat([raw, Buffer.from(" ")]) }),
    () => withHeaders({ "webhook-id": `${id}x` }),
    () => withHeaders({ "webhook-id": oddText(chance) }),
    () => withHeaders({ "webhook-timestamp": String(now + 1) }),
    () => withHeaders({ "webhook-timestamp": oddText(chance) }),
    () =>
      withHeaders({
        "webhook-timestamp": String(stale),
        "webhook-signature": signature(WEBHOOK_SECRET, id, stale, raw),
      }),
    () =>
      withHeaders({
        "webhook-signature": signature(SECOND_SECRET, id, now, raw),
      }),
    () => withHeaders({ "webhook-signature": oddText(chance) }),
    () => withHeaders({ "webhook-signature": "v1,AAAA ".repeat(1 + Math.floor(chance() * 5_000)) }),
    () => withHeaders({ "webhook-signature": `v1,${bytes(chance, 32).toString("base64")}` }),
    () =>
      withHeaders({
        "webhook-signature": (headers["webhook-signature"] ?? "").replace("v1,", "v2,"),
      }),
    () =>
      withHeaders({ "webhook-signature": (headers["webhook-signature"] ?? "").replace(/=$/, "") }),
  ];
  return oneOf(chance, ways)();
}
