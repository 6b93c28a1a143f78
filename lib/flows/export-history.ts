import {
  CSV_HEAD,
  csvLine,
  type ExportedEntry,
  type HistoryFilter,
  jsonLine,
} from "@/lib/domain/history-export";
import { recordControl } from "@/lib/store/control-events";
import { asTenant } from "@/lib/store/db";
import {
  EXPORT_BEGIN,
  type ExportPlace,
  operationEntries,
  operatorEntries,
} from "@/lib/store/history-export";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";

export type ExportFormat = "csv" | "jsonl";

export interface ExportWish {
  readonly format: ExportFormat;
  readonly filter: HistoryFilter;
}

/** The file of an export, made while it is read. */
export interface HistoryFile {
  readonly name: string;
  readonly type: string;
  readonly content: AsyncIterable<Uint8Array<ArrayBuffer>>;
}

const ENTRIES_PER_PAGE = 1_000;

/**
 * Exports entries of the history (PV-6): those of operations, then what operators did, each oldest first. Memory does
 * not grow with the export, formulas are neutralised, and the export is an entry itself before the first line of it
 * is given out. Throws Refusal `not_permitted`.
 */
export async function exportHistory(
  ctx: ConsoleContext,
  actor: Actor,
  { format, filter }: ExportWish,
): Promise<HistoryFile> {
  permitPerson(actor, "history.export");
  await asTenant(ctx.db, actor.tenantId, (tx) =>
    recordControl(tx, actor.tenantId, {
      kind: "history_exported",
      about: "history:export",
      actor: actorName(actor),
      body: { format, filter },
    }),
  );
  return {
    name: `history.${format}`,
    type: format === "csv" ? "text/csv; charset=utf-8; header=present" : "application/jsonl",
    content: pieces(ctx, actor.tenantId, { format, filter }),
  };
}

async function* pieces(
  ctx: ConsoleContext,
  tenantId: string,
  { format, filter }: ExportWish,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const lineOf = format === "csv" ? csvLine : jsonLine;
  if (format === "csv") yield bytesOf(CSV_HEAD);
  for await (const page of pages(ctx, tenantId, filter)) {
    yield bytesOf(page.map(lineOf).join(""));
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "utf8"));
}

async function* pages(
  ctx: ConsoleContext,
  tenantId: string,
  filter: HistoryFilter,
): AsyncGenerator<readonly ExportedEntry[]> {
  if (filter.source !== "operators") {
    yield* paged((after) =>
      asTenant(ctx.db, tenantId, async (tx) => {
        const page = await operationEntries(tx, tenantId, filter, after, ENTRIES_PER_PAGE);
        const last = page.at(-1);
        return { page, next: last && { at: last.at, id: last.op ?? "", entry: last.entry ?? 0 } };
      }),
    );
  }
  if (filter.source !== "operations") {
    yield* paged((after) =>
      asTenant(ctx.db, tenantId, async (tx) => {
        const rows = await operatorEntries(tx, tenantId, filter, after, ENTRIES_PER_PAGE);
        const last = rows.at(-1);
        const page = rows.map(({ id: _, seq: __, ...entry }) => entry);
        return { page, next: last && { at: last.at, id: last.id, entry: last.seq } };
      }),
    );
  }
}

interface Page {
  readonly page: readonly ExportedEntry[];
  readonly next: ExportPlace | undefined;
}

async function* paged(
  read: (after: ExportPlace) => Promise<Page>,
): AsyncGenerator<readonly ExportedEntry[]> {
  let after: ExportPlace | undefined = EXPORT_BEGIN;
  while (after !== undefined) {
    const { page, next }: Page = await read(after);
    if (page.length > 0) yield page;
    after = page.length < ENTRIES_PER_PAGE ? undefined : next;
  }
}
