import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canonicalText } from "@/lib/domain/canonical";
import type { PackScope } from "@/lib/domain/history-scope";
import { packBytes } from "@/lib/providers/pack-file";
import { timestampAuthority } from "@/lib/providers/timestamp";
import { connect, type Database } from "@/lib/store/db";
import {
  aRequest,
  aTenant,
  operationIn,
  type TestRequest,
  type TestTenant,
} from "@/lib/testing/factories";
import { sealNow } from "@/lib/testing/history";
import { type TestSandbox, testSandbox } from "@/lib/testing/sandbox";
import { aMember, type TestLedger, testLedger } from "@/lib/testing/tenants";
import { unzipped } from "@/lib/testing/unzip";
import { askPack } from "./ask-pack";
import type { Actor } from "./context";
import { makePacks } from "./make-packs";
import type { SealContext } from "./seal-chains";
import { stampSeals } from "./stamp-seals";
import { takePackFile } from "./take-pack";

let ledger: TestLedger;
let sandbox: TestSandbox;
let db: Database;
let worker: SealContext;
let tenant: TestTenant;
let request: TestRequest;
let officer: Actor;
let opId: string;
let folder: string;
/** A pack about the request, and what is in it. */
let pack: Buffer;
let files: Map<string, string>;

beforeAll(async () => {
  [ledger, sandbox] = await Promise.all([testLedger(), testSandbox()]);
  folder = await mkdtemp(path.join(tmpdir(), "pack-"));
  db = connect(ledger.url, { role: "deadline_worker", poolMax: 4 });
  worker = { owner: ledger.owner, db, log: ledger.ctx.log };
  tenant = await aTenant(ledger.owner);
  officer = await aMember(ledger.owner, tenant.id, "compliance");
  request = await aRequest(ledger.owner, tenant);
  for (let count = 0; count < 4; count += 1) {
    await operationIn(ledger.owner, tenant, await aRequest(ledger.owner, tenant), "done");
  }
  await operationIn(ledger.owner, tenant, request, "obsolete");
  await sealNow(ledger, 3);
  opId = await operationIn(ledger.owner, tenant, request, "done");
  await sealNow(ledger);
  const root = await (await fetch(`${sandbox.url}/tsa/root.pem`)).text();
  await stampSeals(worker, timestampAuthority(`${sandbox.url}/tsa`, root));
  await operationIn(ledger.owner, tenant, request, "proposed");
  pack = await made({ kind: "request", ref: request.ref });
  files = unzipped(pack);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await db.$disconnect();
  await Promise.all([ledger.close(), sandbox.close()]);
});

async function made(scope: PackScope): Promise<Buffer> {
  const { id } = await askPack(ledger.ctx, officer, scope);
  expect(await makePacks(worker)).toBe(1);
  const file = await takePackFile(ledger.ctx, officer, id);
  const pieces: Uint8Array[] = [];
  for await (const piece of file.content) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  expect(bytes.byteLength).toBe(file.bytes);
  const row = await ledger.owner.pack.findFirstOrThrow({ where: { id } });
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(row.sha256);
  return bytes;
}

/** The files in a zip by its central directory, as text of one byte per character. */
/** A zip of these files whose manifest fits them: what a careful forger would hand over. */
async function forged(changed: ReadonlyMap<string, string>): Promise<Buffer> {
  const all = new Map(changed);
  const manifest = JSON.parse(all.get("manifest.json") ?? "") as { files: unknown };
  all.delete("manifest.json");
  manifest.files = [...all].map(([name, text]) => {
    const bytes = Buffer.from(text, "latin1");
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    return { name, bytes: bytes.byteLength, sha256 };
  });
  all.set("manifest.json", canonicalText(manifest as never));
  const sources = [...all].map(([name, text]) => ({
    name,
    content: async function* () {
      yield Buffer.from(text, "latin1");
    },
  }));
  const pieces: Buffer[] = [];
  for await (const piece of packBytes(sources, new Date(0))) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Runs the verifier out of the pack in a folder that holds nothing but the two. */
async function verified(zip: Buffer): Promise<{ code: number; text: string }> {
  const empty = await mkdtemp(path.join(folder, "v-"));
  await writeFile(path.join(empty, "pack.zip"), zip);
  await writeFile(path.join(empty, "verify.mjs"), files.get("verify.mjs") ?? "", "latin1");
  return new Promise((resolve) => {
    const env = { NODE_ENV: "production", PATH: process.env.PATH ?? "" } as const;
    execFile(process.execPath, ["verify.mjs", "pack.zip"], { cwd: empty, env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), text: out + err }),
    );
  });
}

/** The pack with one of its files changed line by line; a line that becomes null goes. */
function withLines(name: string, change: (line: Line, place: number) => Line | null) {
  const lines = (files.get(name) ?? "").trimEnd().split("\n");
  const kept = lines.flatMap((line, place) => {
    const after = change(JSON.parse(line) as Line, place);
    return after === null ? [] : [`${JSON.stringify(after)}\n`];
  });
  return new Map(files).set(name, kept.join(""));
}

type Entry = { seq: number; body: string; hash: string };
// biome-ignore lint/suspicious/noExplicitAny: what a forger changes has no form
type Line = any;

/** Changes the entries of the sealed operation. */
const withEntries = (change: (entries: Entry[]) => Entry[]) =>
  withLines("operations.jsonl", (line) =>
    line.op === opId ? { ...line, entries: change(line.entries) } : line,
  );

describe("SM-6: an evidence pack", () => {
  test("is verified from an empty folder with only the file", async () => {
    const { code, text } = await verified(pack);
    expect(text).toContain("3 operations with 8 entries; 3 seals.");
    expect(text).toContain("2 operations are under a seal, 1 are newer than the last one.");
    expect(text).toContain("1 time stamps; the last, by 127.0.0.1, says that seal 3 existed");
    expect(text).toContain("All fits.");
    expect(code).toBe(0);
  });

  test("holds payload texts, decisions, reads before and after, and a summary that can be read", () => {
    const operations = (files.get("operations.jsonl") ?? "").trimEnd().split("\n");
    const done = operations.map((line) => JSON.parse(line)).find(({ op }) => op === opId);
    expect(done).toMatchObject({
      kind: "extend",
      request: request.ref,
      state: "done",
      chain: { length: 5 },
      approvals: [{ account: tenant.approverId, decision: "approve", version: 1 }],
      payloads: [{ version: 1, text: expect.stringContaining(request.ref) }],
      attempts: [{ fence: 1 }],
    });
    const purposes = done.receipts.map(({ purpose }: { purpose: string }) => purpose);
    expect(purposes).toEqual(["before", "after"]);
    expect(files.get("summary.pdf")).toMatch(/^%PDF-1\.7/);
  });

  test("PV-4: holds no login, name or address of anybody", () => {
    for (const text of files.values()) expect(text).not.toMatch(/@[a-z]+\.(invalid|com)/);
  });

  test("is byte for byte the same when it is made again", async () => {
    const first = await ledger.owner.pack.findFirstOrThrow({ where: { tenantId: tenant.id } });
    await ledger.owner.pack.update({
      where: { tenantId_id: { tenantId: tenant.id, id: first.id } },
      data: { state: "waiting", sha256: null, bytes: null, finishedAt: null },
    });
    expect(await makePacks(worker)).toBe(1);
    const again = await ledger.owner.pack.findFirstOrThrow({ where: { id: first.id } });
    expect(again).toMatchObject({ state: "ready", takes: 2, sha256: first.sha256 });
    const takes = await ledger.owner.packChunk.findMany({ select: { take: true } });
    expect(new Set(takes.map(({ take }) => take))).toEqual(new Set([2]));
  });

  test.each(["operation", "period"] as const)("can be about one %s", async (kind) => {
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    const scope =
      kind === "operation"
        ? { kind, op: opId }
        : { kind, from: at(-86_400_000), to: at(86_400_000) };
    const { code, text } = await verified(await made(scope));
    expect(text).toContain(kind === "operation" ? "1 operations with 5" : "7 operations with 28");
    expect(code).toBe(0);
  });

  test("is verified before the tenant has a seal, and with nothing in it", async () => {
    const other = await aTenant(ledger.owner);
    const theirs = await aMember(ledger.owner, other.id, "admin");
    const about = await aRequest(ledger.owner, other);
    const { id } = await askPack(ledger.ctx, theirs, { kind: "request", ref: about.ref });
    await makePacks(worker);
    const pieces: Uint8Array[] = [];
    const { content } = await takePackFile(ledger.ctx, theirs, id);
    for await (const piece of content) pieces.push(piece);
    expect(await verified(Buffer.concat(pieces))).toMatchObject({
      code: 0,
      text: expect.stringContaining("0 operations with 0 entries; 0 seals."),
    });
  });
});

describe("SM-6: the offline verifier names what was done to a pack", () => {
  const cases: readonly [string, () => Map<string, string>, RegExp][] = [
    [
      "an entry that was changed",
      () =>
        withEntries((all) =>
          all.map((one) =>
            one.seq === 2 ? { ...one, body: one.body.replace("approved", "refused") } : one,
          ),
        ),
      /CHANGED: operation [0-9a-f-]+, entry 2/,
    ],
    [
      "an entry that was taken out",
      () => withEntries((all) => all.filter(({ seq }) => seq !== 3)),
      /MISSING: operation [0-9a-f-]+, entry 3/,
    ],
    [
      "an entry that was put in",
      () =>
        withEntries((all) =>
          [...all.slice(0, 2), ...all.slice(1)].map((one, place) => ({ ...one, seq: place + 1 })),
        ),
      /INSERTED: operation [0-9a-f-]+, entry 2/,
    ],
    [
      "two entries that changed places",
      () =>
        withEntries(([one, two, three, ...rest]) =>
          [one, three, two, ...rest].map((each, place) => ({ ...(each as Entry), seq: place + 1 })),
        ),
      /REORDERED: operation [0-9a-f-]+, entry 2/,
    ],
    [
      "a tail that was cut off with the head",
      () =>
        withLines("operations.jsonl", (line) => {
          if (line.op !== opId) return line;
          const entries = line.entries.slice(0, 3);
          return { ...line, entries, chain: { length: 3, head: entries[2].hash } };
        }),
      /MISSING: operation [0-9a-f-]+, entry 4: seal 3 counts 5 entries/,
    ],
    [
      "an operation that was taken out",
      () => withLines("operations.jsonl", (line) => (line.op === opId ? null : line)),
      /MISSING: operations: the manifest counts 3, there are 2/,
    ],
    [
      "a payload that was changed",
      () =>
        withLines("operations.jsonl", (line) =>
          line.op === opId
            ? { ...line, payloads: line.payloads.map((one: Line) => ({ ...one, text: "{}" })) }
            : line,
        ),
      /CHANGED: operation [0-9a-f-]+, payload 1/,
    ],
    [
      "an approval of another payload",
      () =>
        withLines("operations.jsonl", (line) =>
          line.op === opId
            ? {
                ...line,
                approvals: line.approvals.map((one: Line) => ({
                  ...one,
                  payload_hash: "0".repeat(64),
                })),
              }
            : line,
        ),
      /CHANGED: operation [0-9a-f-]+, decision of/,
    ],
    [
      "a read that was changed",
      () =>
        withLines("operations.jsonl", (line) => ({
          ...line,
          receipts: line.receipts.map((one: Line) => ({ ...one, body: "{}" })),
        })),
      /CHANGED: operation [0-9a-f-]+, read /,
    ],
    [
      "a seal that was changed",
      () =>
        withLines("seals.jsonl", (line, place) =>
          place === 1 ? { ...line, body: line.body.replace('"leaves":2', '"leaves":3') } : line,
        ),
      /CHANGED: seal 2: its text does not fit its hash/,
    ],
    [
      "a seal that was taken out",
      () => withLines("seals.jsonl", (line, place) => (place === 1 ? null : line)),
      /MISSING: seal 2: it is not there/,
    ],
    [
      "a proof that was taken out",
      () => withLines("proofs.jsonl", (line) => (line.op === opId ? null : line)),
      /MISSING: operation [0-9a-f-]+: its proof is not there/,
    ],
    [
      "a proof that was changed",
      () =>
        withLines("proofs.jsonl", (line) => ({
          ...line,
          path: [...line.path, `L${"0".repeat(64)}`],
        })),
      /CHANGED: operation [0-9a-f-]+: its chain is not under the root of seal/,
    ],
    [
      "a time stamp of something else",
      () =>
        withLines("seals.jsonl", (line) => {
          if (!line.stamp) return line;
          const token = Buffer.from(line.stamp.token, "base64");
          const imprint = token.indexOf(Buffer.from(line.hash, "hex"));
          token[imprint] = (token[imprint] ?? 0) ^ 1;
          return { ...line, stamp: { ...line.stamp, token: token.toString("base64") } };
        }),
      /CHANGED: seal 3: its time stamp is about something else/,
    ],
    [
      "a time stamp whose signature was changed",
      () =>
        withLines("seals.jsonl", (line) => {
          if (!line.stamp) return line;
          const token = Buffer.from(line.stamp.token, "base64");
          token[token.length - 1] = (token.at(-1) ?? 0) ^ 1;
          return { ...line, stamp: { ...line.stamp, token: token.toString("base64") } };
        }),
      /CHANGED: seal 3: the signature of its time stamp does not fit/,
    ],
  ];

  test.each(cases)("%s", async (_, change, words) => {
    const { code, text } = await verified(await forged(change()));
    expect(text).toMatch(words);
    expect(code).toBe(1);
  });

  test("a file that was changed, put in or taken out without a word in the manifest", async () => {
    const sources = [...files, ["extra.txt", "more"] as const]
      .filter(([name]) => name !== "summary.pdf")
      .map(([name, text]) => ({
        name,
        content: async function* () {
          yield Buffer.from(name === "README.txt" ? `${text} ` : text, "latin1");
        },
      }));
    const pieces: Buffer[] = [];
    for await (const piece of packBytes(sources, new Date(0))) pieces.push(piece);
    const { code, text } = await verified(Buffer.concat(pieces));
    expect(text).toContain("CHANGED: README.txt");
    expect(text).toContain("INSERTED: extra.txt");
    expect(text).toContain("MISSING: summary.pdf");
    expect(code).toBe(1);
  });

  test("a file that is cut off or no pack at all", async () => {
    expect(await verified(pack.subarray(0, pack.byteLength - 100))).toMatchObject({ code: 2 });
    expect(await verified(Buffer.from("nothing"))).toMatchObject({ code: 2 });
  });
});

describe("SM-6: who may have a pack", () => {
  test("an account manager neither asks for one nor takes one", async () => {
    const manager = await aMember(ledger.owner, tenant.id, "account_manager");
    const scope = { kind: "request", ref: request.ref } as const;
    const refused = { code: "not_permitted" };
    await expect(askPack(ledger.ctx, manager, scope)).rejects.toMatchObject(refused);
    await expect(takePackFile(ledger.ctx, manager, randomUUID())).rejects.toMatchObject(refused);
  });

  test("PV-2: nobody takes a pack of another tenant, and each ask and take is history", async () => {
    const stranger = await aMember(ledger.owner, (await aTenant(ledger.owner)).id, "compliance");
    const { id } = await ledger.owner.pack.findFirstOrThrow({ where: { tenantId: tenant.id } });
    const missing = { code: "not_found" };
    await expect(takePackFile(ledger.ctx, stranger, id)).rejects.toMatchObject(missing);
    const scope = { kind: "request", ref: request.ref } as const;
    await expect(askPack(ledger.ctx, stranger, scope)).rejects.toMatchObject(missing);
    const about = `history:pack:${id}`;
    const acts = await ledger.owner.controlEvent.findMany({
      where: { about },
      orderBy: { at: "asc" },
    });
    expect(acts.map(({ kind, actor }) => [kind, actor])).toEqual([
      ["pack_asked", `user:${officer.id}`],
      ["pack_taken", `user:${officer.id}`],
    ]);
  });
});
