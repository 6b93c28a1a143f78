import { formatLocal, formatMoment } from "@/lib/domain/deadline";
import type { RequestWordCode } from "@/lib/domain/words";
import { Hash } from "./hash";
import panel from "./panel.module.css";
import { StateBadge } from "./state-badge";
import { Age } from "./ticking";

export interface ReceiptFacts {
  readonly id: string;
  readonly purpose:
    | "before"
    | "after"
    | "look"
    | "last_look"
    | "page"
    | "event"
    | "decision"
    | "sweep"
    | "shadow";
  readonly outcome: "read" | "not_found" | "declined" | "unreadable";
  readonly status: RequestWordCode | null;
  readonly expiresAt: string | null;
  readonly version: string | null;
  readonly lastReminderAt: string | null;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly matches: number;
  readonly hash: string;
}

export const PURPOSE_WORDS: Record<ReceiptFacts["purpose"], string> = {
  before: "Before the call",
  after: "After the call",
  look: "Look",
  last_look: "Last look",
  page: "For this page",
  event: "After an event",
  decision: "For a decision",
  sweep: "Comparison with the mirror",
  shadow: "In shadow mode",
};

const OUTCOME_WORDS: Record<ReceiptFacts["outcome"], string> = {
  read: "The platform answered.",
  not_found: 'The platform answers "not found". That does not prove that it never existed.',
  declined: "The platform declined to answer now.",
  unreadable: "The answer could not be read.",
};

interface ReadReceiptProps {
  readonly receipt: ReceiptFacts;
  /** Zone in which an expiry is written; a receipt has none of its own. */
  readonly zone: string;
  readonly now: string;
  /** Hash recomputed on the server over the stored body; null where the page did not ask for it. */
  readonly recomputed?: string | null;
}

/** "What we knew": one read of the platform with its time, its content and its hash (PL-4). */
export function ReadReceipt({ receipt, zone, now, recomputed = null }: ReadReceiptProps) {
  return (
    <article className={panel.panel} aria-label={`Receipt ${shortReceipt(receipt.id)}`}>
      <h3 className={panel.heading}>
        {PURPOSE_WORDS[receipt.purpose]}
        <span className={`${panel.mono} ${panel.dimmed}`}>{shortReceipt(receipt.id)}</span>
      </h3>
      <dl className={panel.pairs}>
        <dt>read</dt>
        <dd>
          <time dateTime={receipt.startedAt} className={panel.mono}>
            {formatMoment(receipt.startedAt)}
          </time>{" "}
          <span className={panel.dimmed}>
            (<Age since={receipt.startedAt} now={now} form="ago" />)
          </span>
        </dd>
        {receipt.outcome === "read" ? (
          <Content receipt={receipt} zone={zone} />
        ) : (
          <>
            <dt>answer</dt>
            <dd>{OUTCOME_WORDS[receipt.outcome]}</dd>
          </>
        )}
        <dt>hash</dt>
        <dd>
          <Hash
            value={receipt.hash}
            kind="receipt"
            {...(recomputed === null ? {} : { expected: recomputed })}
          />
        </dd>
      </dl>
    </article>
  );
}

function Content({ receipt, zone }: { readonly receipt: ReceiptFacts; readonly zone: string }) {
  return (
    <>
      <dt>status</dt>
      <dd>
        {receipt.status === null ? "–" : <StateBadge family="request" code={receipt.status} />}
      </dd>
      <dt>expiry</dt>
      <dd>
        {receipt.expiresAt === null
          ? "none shown"
          : `${formatLocal(receipt.expiresAt, zone)} (${zone})`}
      </dd>
      <dt>version</dt>
      <dd>{receipt.version ?? "not given"}</dd>
      <dt>last reminder</dt>
      <dd>
        {receipt.lastReminderAt === null ? "none shown" : formatMoment(receipt.lastReminderAt)}
      </dd>
      {receipt.matches === 1 ? null : (
        <>
          <dt>matches</dt>
          <dd>{receipt.matches}</dd>
        </>
      )}
    </>
  );
}

/** `r_1f9c02aa`: the first eight characters of a receipt's id. */
export function shortReceipt(id: string): string {
  return `r_${id.slice(0, 8)}`;
}
