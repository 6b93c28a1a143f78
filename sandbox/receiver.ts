import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import type { Platform } from "./context";
import type { Call } from "./http";
import {
  keepReceived,
  nextAnswer,
  type ReceivedDelivery,
  type Receiver,
  receivedBy,
  receiverNamed,
} from "./received";

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};

/**
 * Another system that the ledger tells of what happened. It keeps every delivery, says whether its signature is good,
 * and answers as it was told to; a browser sees the list.
 */
export async function handleReceiver(
  platform: Platform,
  call: Call,
  response: ServerResponse,
): Promise<void> {
  const receiver = await receiverNamed(platform.database, call.path[1] ?? "");
  if (!receiver) {
    response.writeHead(404, HEADERS).end(page("No such receiver", "<p>Nobody listens here.</p>"));
    return;
  }
  if (call.method === "POST") return receive(platform, receiver, call, response);
  const deliveries = await receivedBy(platform.database, receiver.name);
  response.writeHead(200, HEADERS).end(listing(receiver.name, deliveries));
}

async function receive(
  platform: Platform,
  receiver: Receiver,
  call: Call,
  response: ServerResponse,
): Promise<void> {
  const { status, delayMs, location } = await nextAnswer(platform.database, receiver.name);
  const signatures = String(call.headers["webhook-signature"] ?? "");
  await keepReceived(platform.database, receiver.name, {
    webhook_id: String(call.headers["webhook-id"] ?? ""),
    signatures: signatures.split(" ").filter((one) => one.startsWith("v1,")).length,
    verified: receiver.secrets.some((secret) => isSignedBy(secret, call)),
    body: call.raw.toString("utf8"),
    answered: status,
  });
  if (delayMs > 0) {
    await pause(delayMs, undefined, { signal: platform.stopping }).catch(() => undefined);
  }
  response.writeHead(status, location === null ? {} : { location }).end();
}

function isSignedBy(secret: string, call: Call): boolean {
  const headers = Object.fromEntries(
    ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [
      name,
      String(call.headers[name] ?? ""),
    ]),
  );
  try {
    new Webhook(secret).verify(call.raw.toString("utf8"), headers);
    return true;
  } catch {
    // The library throws for whatever is wrong: not signed by this secret, or not in time.
    return false;
  }
}

function listing(name: string, deliveries: readonly ReceivedDelivery[]): string {
  const rows = deliveries.toReversed().map(
    (one) => `<tr><td><time datetime="${one.at}">${one.at}</time></td>
        <td><code>${escaped(one.webhook_id)}</code></td>
        <td>${one.verified ? "good" : "not good"} (${one.signatures})</td><td>${one.answered}</td>
        <td><pre>${escaped(one.body)}</pre></td></tr>`,
  );
  return page(
    `Receiver ${escaped(name)}`,
    deliveries.length === 0
      ? "<p>Nothing received yet.</p>"
      : `<table><caption>${deliveries.length} received, newest first</caption>
        <thead><tr><th>At</th><th>Message id</th><th>Signature</th><th>Answered</th><th>Body</th></tr></thead>
        <tbody>${rows.join("")}</tbody></table>`,
  );
}

function page(title: string, content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
    <style>body{font:14px/1.5 system-ui;margin:2rem;max-width:90rem}td,th{text-align:left;vertical-align:top;
    padding:.3rem .8rem .3rem 0;border-bottom:1px solid #ddd}pre{margin:0;white-space:pre-wrap}</style>
    </head><body><h1>${title}</h1>${content}</body></html>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
