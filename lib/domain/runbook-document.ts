import { invariant } from "./invariant";
import { RUNBOOK_CHAPTERS, type RunbookChapter, runbookOf, shownWith } from "./runbook";

/** The parts of a section in the order of the page and the document. */
export const RUNBOOK_PARTS = [
  ["means", "What it means"],
  ["known", "What is known"],
  ["first", "Look first at"],
  ["may", "You may"],
  ["mustNot", "You must not"],
  ["escalate", "Escalate"],
] as const;

/** One chapter of docs/runbooks as Markdown. */
export function chapterText({ title, note, codes }: RunbookChapter): string {
  return [`# ${title}`, note, ...codes.map(sectionText), ""].join("\n\n").trimEnd().concat("\n");
}

function sectionText(code: string): string {
  const runbook = runbookOf(code);
  invariant(runbook, `a runbook for ${code}`);
  const sentence = shownWith(code);
  return [
    `## ${code}`,
    ...(sentence === null ? [] : [`> ${sentence}`]),
    RUNBOOK_PARTS.map(([part, label]) => `- **${label}:** ${runbook[part]}`).join("\n"),
  ].join("\n\n");
}

/** The list of chapters, docs/runbooks/README.md. */
export function contentsText(): string {
  const lines = RUNBOOK_CHAPTERS.map(
    ({ file, title, note, codes }) => `- [${title}](${file}.md): ${note} ${codes.length} sections.`,
  );
  return [
    "# Runbooks",
    "One section for every alert and every reason code. The console shows the same sections at `/t/<tenant>/runbooks/<code>`; they are written in `lib/domain/runbook-*.ts`, and a test holds these files to them.",
    lines.join("\n"),
    "",
  ]
    .join("\n\n")
    .trimEnd()
    .concat("\n");
}
