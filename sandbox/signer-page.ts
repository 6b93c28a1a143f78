import type { ServerResponse } from "node:http";
import { accountById } from "./accounts";
import type { Platform } from "./context";
import type { Call } from "./http";
import { actAsPerson, type PersonsDeed } from "./persons";
import { isOpen, type SandboxRequest } from "./request";
import { requestByToken } from "./store";

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
};

/** The page behind a signing link. Opening it counts as viewed; the two buttons sign or decline. */
export async function handleSignerPage(
  platform: Platform,
  call: Call,
  response: ServerResponse,
): Promise<void> {
  const [, token = "", action] = call.path;
  const found = await requestByToken(platform.database, token);
  const account = found && (await accountById(platform.database, found.accountId));
  const deed = found && deedOf(call.method, action, found.reference);
  if (!found || !account || !deed) {
    response.writeHead(404, HEADERS).end(page("No such page", "<p>This link leads nowhere.</p>"));
    return;
  }
  const result = await actAsPerson(platform, account, found.request.id, deed);
  if (call.method === "POST") {
    response.writeHead(303, { ...HEADERS, location: `/sign/${token}` }).end();
    return;
  }
  const request = result.ok ? result.request : await present(platform, token, found.request);
  response.writeHead(200, HEADERS).end(signing(request, found.reference, token));
}

function deedOf(method: string, action: string | undefined, signer: string): PersonsDeed | null {
  if (method === "GET" && action === undefined) return { change: "view", signer };
  if (method === "POST" && action === "sign") return { change: "sign", signer };
  if (method === "POST" && action === "decline") return { change: "decline", signer };
  return null;
}

/** A refused view may still have let the request expire, so the page reads it once more. */
async function present(platform: Platform, token: string, before: SandboxRequest) {
  return (await requestByToken(platform.database, token))?.request ?? before;
}

function signing(request: SandboxRequest, reference: string, token: string): string {
  const signer = request.signers.find((it) => it.reference === reference);
  const waiting = request.signers.some(
    (it) => it.order < (signer?.order ?? 0) && it.status !== "signed",
  );
  const may = isOpen(request) && signer?.status !== "signed";
  const buttons = `
    <form method="post" action="/sign/${token}/sign"><button>Sign</button></form>
    <form method="post" action="/sign/${token}/decline"><button>Decline</button></form>`;
  return page(
    request.title,
    `<p>${escaped(request.message)}</p>
    <dl>
      <dt>Status</dt><dd>${request.status.replaceAll("_", " ")}</dd>
      <dt>Sign before</dt><dd><time datetime="${request.expiresAt}">${request.expiresAt}</time></dd>
      <dt>Document</dt><dd><code>${escaped(request.documentDigest)}</code></dd>
      <dt>You</dt><dd>${escaped(signer?.name ?? "")}: ${signer?.status ?? ""}</dd>
    </dl>
    ${request.voidReason ? `<p>Withdrawn: ${escaped(request.voidReason)}</p>` : ""}
    ${waiting && may ? "<p>Somebody else has to sign first.</p>" : ""}
    ${may ? buttons : "<p>There is nothing left for you to do here.</p>"}`,
  );
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} – sandbox platform</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem; }
  dt { font-weight: 600; } dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }
  form { display: inline-block; margin-right: 1rem; }
  button { font: inherit; min-height: 2.75rem; padding: 0 1.5rem; }
</style>
</head>
<body><main><h1>${escaped(title)}</h1>${body}</main></body>
</html>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
