import type { Readable } from "node:stream";
import PDFDocument from "pdfkit";
import { scopeWords } from "@/lib/domain/history-scope";
import type { NewestSeal, PackedOperation, PackFacts, PackHead } from "@/lib/domain/pack";

export interface SummaryContent {
  readonly head: PackHead;
  readonly facts: PackFacts;
  readonly newestSeal: NewestSeal;
  readonly listed: readonly PackedOperation[];
}

const MARGIN = 50;
const TITLE = 18;
const HEADING = 12;
const TEXT = 9;
const SMALL = 7.5;

/**
 * The readable summary of a pack as a PDF: figures, how the history is sealed, and the first operations. Holds
 * references only, no personal data. The same content gives the same bytes.
 */
export function summaryPdf(content: SummaryContent): AsyncIterable<Buffer> {
  const { head } = content;
  const document = new PDFDocument({
    size: "A4",
    margin: MARGIN,
    lang: "en",
    tagged: true,
    displayTitle: true,
    pdfVersion: "1.7",
    info: {
      Title: `Evidence pack: ${scopeWords(head.scope)}`,
      Producer: "Deadline Ledger",
      Creator: "Deadline Ledger",
      CreationDate: new Date(head.askedAt),
    },
  });
  writeHead(document, content);
  writeFigures(document, content);
  writeSeals(document, content);
  writeOperations(document, content);
  document.end();
  return document as unknown as Readable;
}

type Pdf = PDFKit.PDFDocument;

/** One tagged piece of text, so that reading aids see a heading or a paragraph. */
function piece(document: Pdf, tag: "H1" | "H2" | "P", size: number, text: string): void {
  const font = tag === "P" ? "Helvetica" : "Helvetica-Bold";
  const write = () => document.font(font).fontSize(size).text(text, { paragraphGap: 3 });
  document.addStructure(document.struct(tag, {}, write));
}

function writeHead(document: Pdf, { head, facts }: SummaryContent): void {
  piece(document, "H1", TITLE, "Evidence pack");
  piece(document, "P", TEXT, `About ${scopeWords(head.scope)}.`);
  piece(document, "P", TEXT, `Tenant ${head.tenantId}. Pack ${head.id}.`);
  piece(document, "P", TEXT, `Asked for by ${head.askedBy} at ${head.askedAt}.`);
  const { operations, entries, firstEntryAt, lastEntryAt } = facts;
  piece(document, "P", TEXT, `${operations} operations with ${entries} entries of history.`);
  if (firstEntryAt && lastEntryAt) {
    piece(
      document,
      "P",
      TEXT,
      `The first began at ${firstEntryAt}; the last moved at ${lastEntryAt}.`,
    );
  }
}

function writeFigures(document: Pdf, { facts }: SummaryContent): void {
  document.moveDown();
  piece(document, "H2", HEADING, "Figures");
  piece(document, "P", TEXT, `By kind: ${figures(facts.byKind)}.`);
  piece(document, "P", TEXT, `By state: ${figures(facts.byState)}.`);
  piece(
    document,
    "P",
    TEXT,
    `${facts.approvals} approvals by ${facts.approvers} people that stand.`,
  );
  piece(document, "P", TEXT, `${facts.reads} reads of the platform.`);
}

function figures(counts: Readonly<Record<string, number>>): string {
  const pairs = Object.entries(counts).sort(([one], [other]) => (one < other ? -1 : 1));
  return pairs.map(([name, count]) => `${name} ${count}`).join(", ") || "none";
}

function writeSeals(document: Pdf, { facts, newestSeal }: SummaryContent): void {
  document.moveDown();
  piece(document, "H2", HEADING, "Proof");
  const sealed = newestSeal
    ? `${facts.sealed} of ${facts.operations} operations lie under a seal. The newest seal is number ${newestSeal.seq} with hash ${newestSeal.hash}.`
    : "The tenant has no seal yet.";
  piece(document, "P", TEXT, sealed);
  piece(document, "P", TEXT, "Take verify.mjs out of the pack and run: node verify.mjs pack.zip");
}

function writeOperations(document: Pdf, { facts, listed }: SummaryContent): void {
  document.moveDown();
  piece(document, "H2", HEADING, "Operations");
  for (const { op, kind, request, state, reason, changedAt } of listed) {
    piece(document, "P", SMALL, `${changedAt}  ${kind} of ${request}: ${state} (${reason})  ${op}`);
  }
  const more = facts.operations - listed.length;
  if (more > 0) piece(document, "P", TEXT, `And ${more} more, which stand in operations.jsonl.`);
}
