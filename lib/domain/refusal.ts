import type { z } from "zod";
import type { JsonValue } from "./canonical";
import type { CanonicalError } from "./canonical-error";
import { REFUSALS, type RefusalCode } from "./refusal-words";
import { filled, type SentenceValues } from "./sentence";

/** One field of a form or body that cannot be used, with what to do about it. */
export interface FieldProblem {
  /** Dotted as in `signers.0.role`. */
  readonly path: string;
  readonly sentence: string;
}

export interface RefusalDetail {
  /** Values for the {placeholders} of the sentence. Never personal data (PV-4). */
  readonly values?: SentenceValues;
  readonly fields?: readonly FieldProblem[];
  /** More members for the problem document, such as the operation that exists already. */
  readonly extensions?: Readonly<Record<string, JsonValue>>;
}

/** A request that is turned down. Nothing has changed, and the message may be shown as it is. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly fields: readonly FieldProblem[];
  readonly extensions: Readonly<Record<string, JsonValue>>;

  constructor(code: RefusalCode, detail: RefusalDetail = {}) {
    super(filled(REFUSALS[code].sentence, detail.values ?? {}));
    this.name = "Refusal";
    this.code = code;
    this.status = REFUSALS[code].status;
    this.fields = detail.fields ?? [];
    this.extensions = detail.extensions ?? {};
  }
}

/** An RFC 9457 problem document. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: RefusalCode;
  readonly request_id: string;
  readonly fields?: readonly FieldProblem[];
  readonly [extension: string]: unknown;
}

type RefusalStatus = (typeof REFUSALS)[RefusalCode]["status"];

const TITLES: Record<RefusalStatus, string> = {
  200: "Nothing left to do",
  400: "The request could not be read",
  401: "Not signed in",
  403: "Not allowed",
  404: "Not found",
  409: "The present state does not allow this",
  410: "No longer there",
  413: "Too large",
  415: "Wrong kind of content",
  422: "Some values cannot be used",
  429: "Not now",
};

/** The answer for a refusal (PV-7): what is wrong and what to do, without internals. */
export function problemOf(refusal: Refusal, requestId: string): Problem {
  return {
    ...refusal.extensions,
    type: `urn:deadline-ledger:problem:${refusal.code}`,
    title: TITLES[REFUSALS[refusal.code].status],
    status: refusal.status,
    detail: refusal.message,
    code: refusal.code,
    request_id: requestId,
    ...(refusal.fields.length === 0 ? {} : { fields: refusal.fields }),
  };
}

/** The refusal for a body without a trustworthy hash (ID-3). */
export function refusalOfCanonical(error: CanonicalError): Refusal {
  if (error.code === "invalid_json") {
    return new Refusal("body_unreadable", { values: { n: error.offset } });
  }
  return new Refusal("body_refused", { values: { why: error.message } });
}

/**
 * The refusal for input that a schema turned down (PV-7). Only paths and the kind of trouble are told: the
 * schema library's own messages can repeat what was sent.
 */
export function refusalOfIssues(error: z.ZodError): Refusal {
  const fields = error.issues.flatMap(fieldsOf);
  return new Refusal("fields_unusable", { fields });
}

function fieldsOf(issue: z.core.$ZodIssue): readonly FieldProblem[] {
  const path = issue.path.map(String).join(".");
  switch (issue.code) {
    case "unrecognized_keys":
      return [{ path, sentence: `Holds ${issue.keys.length} member(s) that are not known here.` }];
    case "invalid_type":
      return [{ path, sentence: `Must be given as ${issue.expected}.` }];
    case "invalid_value":
      return [{ path, sentence: `Must be one of: ${issue.values.map(String).join(", ")}.` }];
    case "too_big":
      return [{ path, sentence: `At most ${issue.maximum}.` }];
    case "too_small":
      return [{ path, sentence: `At least ${issue.minimum}.` }];
    case "invalid_union":
    case "invalid_format":
    case "not_multiple_of":
    case "invalid_key":
    case "invalid_element":
    case "custom":
      return [{ path, sentence: "Not in the form that is needed here." }];
  }
}
