import type { ServerResponse } from "node:http";
import type { Platform } from "./context";
import type { Call } from "./http";
import { type CaughtMail, mailsTo } from "./mails";

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};

/** The mails that were caught, the newest first; `?to=` shows those of one recipient. */
export async function handleMailPage(
  platform: Platform,
  call: Call,
  response: ServerResponse,
): Promise<void> {
  const mails = await mailsTo(platform.database, call.query.get("to"));
  response.writeHead(200, HEADERS).end(page(mails.toReversed()));
}

function page(mails: readonly CaughtMail[]): string {
  const listed = mails.map(
    ({ at, to, subject, text }) => `<article><h2>${escaped(subject)}</h2>
      <p><time datetime="${at}">${at}</time>, to <code>${escaped(to)}</code></p>
      <pre>${withLinks(escaped(text))}</pre></article>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mails</title>
    <style>body{font:14px/1.5 system-ui;margin:2rem;max-width:60rem}pre{white-space:pre-wrap}
    article{border-top:1px solid #ddd}h2{font-size:1rem}</style></head>
    <body><h1>Mails</h1><p>Caught here and sent to nobody.</p>
    ${listed.length === 0 ? "<p>Nothing caught yet.</p>" : listed.join("")}</body></html>`;
}

function withLinks(text: string): string {
  return text.replaceAll(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`);
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
