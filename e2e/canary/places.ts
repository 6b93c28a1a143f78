import { readdirSync } from "node:fs";
import path from "node:path";
import { DECLARATIONS } from "@/app/api/v1/declarations";
import { RUNBOOK_CHAPTERS } from "@/lib/domain/runbook";
import { projectRoot } from "@/workers/launch/root";
import type { Sql } from "./said";

const NEWEST = 2;

/** Where the ids of a page come from, by what stands before them in its address; `$1` is the tenant. */
const IDS: Readonly<Record<string, string>> = {
  approvals: "SELECT op_id AS id FROM operations WHERE tenant_id = $1 ORDER BY created_at DESC",
  operations: "SELECT op_id AS id FROM operations WHERE tenant_id = $1 ORDER BY created_at DESC",
  requests: "SELECT ref AS id FROM requests WHERE tenant_id = $1 ORDER BY created_at DESC",
  inbox: "SELECT id FROM inbox_events WHERE tenant_id = $1 ORDER BY received_at DESC",
  outbox: "SELECT id FROM outbox_deliveries WHERE tenant_id = $1 ORDER BY created_at DESC",
  "outbox/subscribers": "SELECT id FROM subscribers WHERE tenant_id = $1",
  reviews: "SELECT id FROM review_items WHERE tenant_id = $1 ORDER BY opened_at DESC",
  "reviews/*/decisions": "SELECT id FROM decisions WHERE tenant_id = $1",
  "reviews/selections": "SELECT id FROM review_selections WHERE tenant_id = $1",
  "history/packs": "SELECT id FROM packs WHERE tenant_id = $1 ORDER BY asked_at DESC",
  "history/verify": "SELECT id FROM history_checks WHERE tenant_id = $1 ORDER BY asked_at DESC",
  "history/checks": "SELECT id FROM history_checks WHERE tenant_id = $1 ORDER BY asked_at DESC",
  "controls/resume": "SELECT id FROM pauses WHERE tenant_id = $1",
  members: "SELECT account_id AS id FROM memberships WHERE tenant_id = $1",
  "settings/members": "SELECT account_id AS id FROM memberships WHERE tenant_id = $1",
  "privacy/erasures": "SELECT id FROM erasures WHERE tenant_id = $1",
  pauses: "SELECT id FROM pauses WHERE tenant_id = $1",
  connections: "SELECT id FROM connections WHERE tenant_id = $1",
  "settings/connections": "SELECT id FROM connections WHERE tenant_id = $1",
  "read-orders": "SELECT id FROM read_orders WHERE tenant_id = $1 ORDER BY ordered_at DESC",
};

/** Parts of addresses that are words of ours. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  policies: ["extend", "send"],
  "settings/policies": ["extend", "send"],
  "requests/*/propose": ["remind", "void", "expire", "resend"],
  runbooks: RUNBOOK_CHAPTERS.flatMap(({ codes }) => codes.slice(0, 1)),
  "deadline-months": ["2027-01"],
};

/** Every page of the console, and every address of the API that is read, as a tenant has them. */
export async function placesOf(sql: Sql, slug: string): Promise<readonly string[]> {
  const [tenant] = await sql<{ id: string }>("SELECT id FROM tenants WHERE slug = $1", [slug]);
  const values = async (before: string): Promise<readonly string[]> => {
    const words = WORDS[before];
    if (words !== undefined) return words;
    const from = IDS[before];
    if (from === undefined) throw new Error(`say in places.ts what follows "${before}/"`);
    const rows = await sql<{ id: string }>(`${from} LIMIT ${NEWEST}`, [tenant?.id]);
    return rows.map(({ id }) => id);
  };
  const places: string[] = [];
  for (const pattern of patterns()) places.push(...(await filled(pattern, slug, values)));
  return places;
}

/** Addresses with `*` for each part that changes. */
function patterns(): readonly string[] {
  const pages = pagesBelow(path.join(projectRoot, "app"), "");
  const read = Object.entries(DECLARATIONS).flatMap(([at, { GET }]) => (GET ? [at] : []));
  const all = [...pages, ...read].map((at) => at.replace(/\[[^\]]+\]|\{[^}]+\}/g, "*"));
  return [...all, "/api/v1/openapi.json", "/health", "/ready"];
}

function pagesBelow(folder: string, address: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "page.tsx") return [address === "" ? "/" : address];
    if (!entry.isDirectory() || entry.name === "api") return [];
    return pagesBelow(path.join(folder, entry.name), `${address}/${entry.name}`);
  });
}

/** A pattern with every part that changes filled in; none where there is nothing of the kind. */
async function filled(
  pattern: string,
  slug: string,
  values: (before: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const [root = "", inside] = pattern.split("/t/*");
  if (inside === undefined) return [pattern];
  let found = [`${root}/t/${slug}`];
  let before = "";
  for (const part of inside.split("/").slice(1)) {
    const options = part === "*" ? await values(before) : [part];
    found = found.flatMap((at) => options.map((option) => `${at}/${option}`));
    before = before === "" ? part : `${before}/${part}`;
  }
  return found;
}
