import { deadlineProblem } from "@/app/t/[tenant]/requests/deadline-problem";
import type { DeadlineDraft } from "@/components/deadline-entry";
import type { FormError } from "@/components/error-summary";
import { quickDeadline } from "@/components/relative-deadline";
import type { NewSendView } from "@/lib/queries/new-send-page";

export interface DocumentDraft {
  readonly id: string;
  readonly digest: string;
  readonly version: string;
}

export interface SignerDraft {
  readonly id: string;
  /** True for somebody who is in the vault already and is named by reference. */
  readonly known: boolean;
  readonly subjectRef: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly order: string;
}

export interface SendDraft extends DeadlineDraft {
  readonly requestRef: string;
  readonly connectionId: string;
  readonly documents: readonly DocumentDraft[];
  readonly signers: readonly SignerDraft[];
  readonly title: string;
  readonly message: string;
  readonly owner: "platform" | "application";
  /** Days between reminders; empty leaves it to the policy. */
  readonly intervalDays: string;
  readonly routing: "sequential" | "parallel";
}

/** A zone for the first moment of the form; whoever fills it in chooses the one of the contract. */
const FIRST_ZONE = "Europe/Berlin";

export function firstDraft(view: NewSendView): SendDraft {
  const start = quickDeadline("14", FIRST_ZONE, null, view.now);
  return {
    ...start,
    time: "17:00",
    quick: "own",
    zone: FIRST_ZONE,
    choice: null,
    requestRef: "",
    connectionId: view.connections[0]?.id ?? "",
    documents: [newDocument(1)],
    signers: [newSigner(1)],
    title: "",
    message: "",
    owner: view.timing.remind.policy.reminderOwner,
    intervalDays: "",
    routing: "parallel",
  };
}

export function newDocument(place: number): DocumentDraft {
  return { id: `document-${place}`, digest: "", version: "1" };
}

export function newSigner(place: number): SignerDraft {
  const order = String(place);
  return {
    id: `signer-${place}`,
    known: false,
    subjectRef: "",
    name: "",
    email: "",
    role: "signer",
    order,
  };
}

/** The body of the proposal without its approval id. */
export function sendBody(draft: SendDraft): object {
  const { date, time, zone, choice, message, intervalDays } = draft;
  return {
    requestRef: draft.requestRef.trim(),
    connectionId: draft.connectionId,
    documents: draft.documents.map(({ digest, version }) => ({
      digest: digest.trim().toLowerCase(),
      version: Number(version),
    })),
    signers: draft.signers.map(signerBody),
    title: draft.title.trim(),
    ...(message.trim() === "" ? {} : { message }),
    date,
    time,
    zone,
    ...(choice === null ? {} : { choice }),
    reminders: {
      owner: draft.owner,
      intervalDays: intervalDays.trim() === "" ? null : Number(intervalDays),
    },
    routing: draft.routing,
  };
}

function signerBody({ known, subjectRef, name, email, role, order }: SignerDraft) {
  const place = { role: role.trim(), order: Number(order) };
  return known
    ? { ...place, subjectRef: subjectRef.trim() }
    : { ...place, name: name.trim(), email: email.trim() };
}

/** What the form itself finds wrong; the server checks everything again. */
export function sendErrors(draft: SendDraft, now: string): readonly FormError[] {
  return [
    problem("request-ref", /^[A-Za-z0-9_-]{3,60}$/.test(draft.requestRef.trim()), REF_SENTENCE),
    problem("connection", draft.connectionId !== "", "Choose a connection."),
    ...draft.documents.map(({ id, digest }) =>
      problem(`${id}-digest`, /^[0-9a-f]{64}$/i.test(digest.trim()), DIGEST_SENTENCE),
    ),
    ...draft.documents.map(({ id, version }) =>
      problem(`${id}-version`, isCount(version), "Give the version as a whole number from 1."),
    ),
    ...draft.signers.flatMap(signerErrors),
    deadlineProblem(draft, now),
    problem("title", draft.title.trim() !== "", "Give the title that signers see."),
    problem(
      "interval",
      draft.intervalDays.trim() === "" || isCount(draft.intervalDays),
      "Give whole days from 1, or leave it to the policy.",
    ),
  ].filter((error) => error !== null);
}

const REF_SENTENCE = "3 to 60 letters, digits, hyphens or underscores, without personal data.";
const DIGEST_SENTENCE = "Choose the file, or give its SHA-256 digest as 64 characters.";

function signerErrors(signer: SignerDraft): (FormError | null)[] {
  const { id, known, subjectRef, name, email, role, order } = signer;
  const who = known
    ? [problem(`${id}-subject`, /^s_[a-z0-9]{8,40}$/.test(subjectRef.trim()), "As in s_41….")]
    : [
        problem(`${id}-name`, name.trim() !== "", "Give the signer's name."),
        problem(`${id}-email`, /^[^\s@]+@[^\s@]+$/.test(email.trim()), "Give one address."),
      ];
  return [
    ...who,
    problem(`${id}-role`, role.trim() !== "", "Give the role in the document."),
    problem(`${id}-order`, isCount(order), "Give the order as a whole number from 1."),
  ];
}

function problem(field: string, fits: boolean, sentence: string): FormError | null {
  return fits ? null : { field, sentence };
}

function isCount(text: string): boolean {
  return /^[1-9]\d{0,3}$/.test(text.trim());
}

/** The field that a path in the server's refusal is about. */
export function sendField(path: string): string | null {
  const [head = ""] = path.split(".");
  return FIELDS[head] ?? null;
}

const FIELDS: Readonly<Record<string, string>> = {
  requestRef: "request-ref",
  connectionId: "connection",
  documents: "documents",
  signers: "signers",
  title: "title",
  message: "message",
  date: "deadline-date",
  time: "deadline-time",
  zone: "deadline-zone",
  choice: "deadline-choice",
  reminders: "interval",
};
