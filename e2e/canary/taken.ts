import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { inflateSync } from "node:zlib";
import { expect } from "@playwright/test";
import { system } from "@/e2e/system";
import { unzipped } from "@/lib/testing/unzip";
import type { Cast } from "./run";
import type { Said, Sql } from "./said";

const HISTORY = "/api/v1/t/north/history";

/** Every export of the history and an evidence pack over all of it, file by file. */
export async function takeExports({ officer }: Cast, said: Said[]): Promise<void> {
  for (const format of ["csv", "jsonl"]) {
    const { status } = await officer.post(`${HISTORY}/exports`, { format, filter: {} });
    expect(status).toBe(200);
  }
  const scope = { kind: "period", from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" };
  const asked = await officer.post(`${HISTORY}/packs`, { scope });
  const file = `${HISTORY}/packs/${asked.json.id}/file`;
  let pack: Buffer = Buffer.alloc(0);
  await expect
    .poll(
      async () => {
        const answer = await officer.get(file);
        pack = answer.bytes;
        return answer.status;
      },
      { timeout: 60_000 },
    )
    .toBe(200);
  for (const [name, content] of unzipped(pack)) {
    const text = name.endsWith(".pdf") ? textOfPdf(content) : Buffer.from(content, "latin1");
    said.push({ where: `${name} of a pack`, text: text.toString("utf8") });
  }
}

/** What a PDF of ours shows: its packed streams, with the pieces of each line put together. */
function textOfPdf(content: string): Buffer {
  const streams = [
    ...content.matchAll(/\/FlateDecode[^>]*>>\s*stream\r?\n([\s\S]*?)\r?\nendstream/g),
  ];
  const lines = streams.flatMap(([, packed = ""]) => {
    const text = inflateSync(Buffer.from(packed, "latin1")).toString("latin1");
    return [...text.matchAll(/\[([^\]]*)\] TJ/g)].map(([, pieces = ""]) =>
      [...pieces.matchAll(/<([0-9a-f]*)>/g)].map(([, hex = ""]) => hex).join(""),
    );
  });
  const text = lines.map((line) => Buffer.from(line, "hex").toString("latin1")).join("\n");
  expect(text).toContain("Evidence pack");
  return Buffer.from(text, "utf8");
}

/** What left by mail, as an event and as a notice, whoever it was for. */
export async function takeMessages(platform: Sql, said: Said[]): Promise<void> {
  const mails = await platform<{ text: string }>("SELECT m::text AS text FROM mails m");
  const sent = await platform<{ text: string }>(
    "SELECT concat_ws(' ', webhook_id, body) AS text FROM received_deliveries",
  );
  expect(sent.length).toBeGreaterThan(0);
  said.push(...mails.map(({ text }) => ({ where: "a mail", text })));
  said.push(...sent.map(({ text }) => ({ where: "an event or a notice", text })));
}

/** Every line that the web and the worker printed since they were started. */
export function takeLogs(said: Said[]): void {
  const { logFolder } = system();
  for (const part of ["web", "worker"]) {
    const text = readFileSync(path.join(logFolder, `${part}.log`), "utf8");
    expect(text).not.toBe("");
    said.push({ where: `the log of the ${part}`, text });
  }
  expect(readdirSync(logFolder)).toContain("sandbox.log");
}

/** The metrics of both programs; the worker's log says at which port it answers. */
export async function takeMetrics(said: Said[]): Promise<void> {
  const log = readFileSync(path.join(system().logFolder, "worker.log"), "utf8");
  const port = /"event":"worker_ready".*"port":(\d+)/.exec(log)?.[1];
  for (const [part, url] of [
    ["web", `${system().url}/metrics`],
    ["worker", `http://127.0.0.1:${port}/metrics`],
  ] as const) {
    const answer = await fetch(url);
    expect(answer.status).toBe(200);
    said.push({ where: `the metrics of the ${part}`, text: await answer.text() });
  }
}

/** Every row of the ledger as text: keys, payloads, history, whatever is not sealed. */
export async function takeRows(sql: Sql, said: Said[]): Promise<void> {
  const tables = await sql<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> 'pack_chunks'`,
  );
  for (const { name } of tables) {
    const rows = await sql<{ text: string }>(
      `SELECT coalesce(string_agg(t::text, E'\\n'), '') AS text FROM "${name}" t`,
    );
    said.push({ where: `the table ${name}`, text: rows[0]?.text ?? "" });
  }
}
