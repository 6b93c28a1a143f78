import type { DifferenceRow } from "./decision";
import type { Matter, MatterOperation } from "./decision-matter";
import { isTerminal, type Observation, type PlatformRequest } from "./observation";
import { sameInstant, showsExpiry } from "./reached";
import { targetOf } from "./target";

/** What the newest event of the platform claimed about the request; null where none came. */
export interface WebhookClaim {
  readonly status: string | null;
}

/**
 * What was expected beside what ledger, platform and webhook say, field by field, what differs first (RV-2).
 * `observation` is the read that is compared; null while there is none.
 */
export function differenceOf(
  matter: Matter,
  observation: Observation | null,
  webhook: WebhookClaim | null,
): readonly DifferenceRow[] {
  const matches = observation?.kind === "read" ? observation.matches : [];
  const [shown] = matches;
  const { operation } = matter;
  const rows = [
    ...(operation?.payload.kind === "send" ? [matchesRow(observation, matches)] : []),
    statusRow(matter, shown, webhook),
    expiryRow(matter, shown),
    versionRow(matter, shown),
    ...contactRows(operation, shown),
    signedRow(shown),
  ].filter((row) => row.expected ?? row.ledger ?? row.platform ?? row.webhook);
  return [...rows.filter(({ differs }) => differs), ...rows.filter(({ differs }) => !differs)];
}

function row(field: string, values: Partial<Omit<DifferenceRow, "field">>): DifferenceRow {
  return {
    field,
    expected: null,
    ledger: null,
    platform: null,
    webhook: null,
    differs: false,
    ...values,
  };
}

/** How many requests carry our reference; exactly one is what a send wants. */
function matchesRow(
  observation: Observation | null,
  matches: readonly PlatformRequest[],
): DifferenceRow {
  const seen = observation?.kind === "read" || observation?.kind === "not_found";
  return row("matches", {
    expected: "1",
    platform: seen ? String(matches.length) : null,
    differs: seen && matches.length !== 1,
  });
}

function statusRow(
  { operation, request }: Matter,
  shown: PlatformRequest | undefined,
  webhook: WebhookClaim | null,
): DifferenceRow {
  const target = operation && targetOf(operation.payload);
  const wanted = target?.kind === "status" ? target.status : null;
  const approved = operation && "expected" in operation.payload ? operation.payload.expected : null;
  const ledger = request?.mirrorStatus ?? null;
  const platform = shown?.status ?? null;
  const ended = platform !== null && isTerminal(platform as PlatformRequest["status"]);
  return row("status", {
    expected: wanted ?? approved?.status ?? null,
    ledger,
    platform,
    webhook: webhook?.status ?? null,
    differs:
      platform !== null &&
      (wanted !== null ? platform !== wanted : operation === null ? platform !== ledger : ended),
  });
}

function expiryRow(
  { operation, request, descriptor }: Matter,
  shown: PlatformRequest | undefined,
): DifferenceRow {
  const wanted = operation && wantedExpiry(operation);
  const ledger = request?.mirrorExpiresAt?.toISOString() ?? null;
  const agrees =
    shown === undefined ||
    (wanted !== null && descriptor !== null
      ? showsExpiry(shown, wanted, descriptor)
      : operation !== null || sameInstant(shown.expiresAt, ledger));
  return row("expires_at", {
    expected: wanted ?? (operation && approvedExpiry(operation)),
    ledger,
    platform: shown?.expiresAt ?? null,
    differs: !agrees,
  });
}

/** The expiry that the operation itself brings about; null for kinds that leave it alone. */
function wantedExpiry({ payload }: MatterOperation): string | null {
  if (payload.kind === "extend") return payload.target.expires_at;
  return payload.kind === "send" ? payload.expires_at : null;
}

function approvedExpiry({ payload }: MatterOperation): string | null {
  return "expected" in payload ? payload.expected.expires_at : null;
}

function versionRow(
  { operation, request }: Matter,
  shown: PlatformRequest | undefined,
): DifferenceRow {
  const expected =
    operation && "expected" in operation.payload ? operation.payload.expected.version : null;
  const platform = shown?.version ?? null;
  return row("version", {
    expected,
    ledger: request?.mirrorVersion ?? null,
    platform,
    differs: expected !== null && platform !== null && platform !== expected,
  });
}

/** Reminders and deliveries are compared with what the read before the first call showed (RC-5). */
function contactRows(
  operation: MatterOperation | null,
  shown: PlatformRequest | undefined,
): readonly DifferenceRow[] {
  if (operation?.kind === "remind") {
    const before = operation.baseline?.lastReminderAt ?? null;
    const platform = shown?.lastReminderAt ?? null;
    return [row("last_reminder_at", { ledger: before, platform, differs: platform === before })];
  }
  if (operation?.kind === "resend") {
    const before = operation.baseline?.lastDeliveryAt ?? null;
    const platform = shown?.lastDeliveryAt ?? null;
    return [row("last_delivery_at", { ledger: before, platform, differs: platform === before })];
  }
  return [];
}

function signedRow(shown: PlatformRequest | undefined): DifferenceRow {
  return row("signed", {
    platform: shown ? `${shown.signedCount} of ${shown.signerCount}` : null,
  });
}
