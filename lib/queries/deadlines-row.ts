import { BusinessDeadlineSchema } from "@/lib/domain/business-deadline";
import { Prisma } from "@/lib/store/prisma/client";
import { CONFLICT, DRIFT_MS, DRIFTS } from "./deadlines-filter";

export interface DeadlineRow {
  readonly ref: string;
  readonly connection: string;
  readonly sandbox: boolean;
  readonly status: string;
  readonly rawStatus: string | null;
  readonly signed: number | null;
  readonly signers: number | null;
  /** The request's own zone; line 1 of its deadlines is in it for every reader (C-38). */
  readonly zone: string;
  readonly businessDeadlineAt: string | null;
  /** Release of the zone rules by which the business deadline was computed. */
  readonly ruleData: string | null;
  readonly platformExpiresAt: string | null;
  readonly readAt: string | null;
  /** Platform expiry minus business deadline where they differ by more than the rounding: positive = later. */
  readonly driftMs: number | null;
  /** Planned reminders and expiries, the next one first; at most twenty. */
  readonly timers: readonly Timer[];
  readonly inFlight: InFlight | null;
  readonly unknown: boolean;
  /** Reason of an open review item about the clocks. */
  readonly conflict: string | null;
  readonly owner: "you" | "someone" | "nobody";
  readonly reminderOwner: string;
  /** The instant that orders the list; null where the request has no such clock. */
  readonly placeAt: string | null;
  readonly ended: boolean;
}

export interface Timer {
  readonly opId: string;
  readonly kind: "remind" | "expire";
  readonly at: string;
}

export interface InFlight {
  readonly opId: string;
  readonly kind: string;
  readonly state: string;
  readonly reason: string;
}

export interface FoundRow {
  ref: string;
  connection: string;
  environment: string;
  mirror_status: string | null;
  mirror_raw_status: string | null;
  mirror_signed: number | null;
  mirror_signers: number | null;
  mirror_read_at: Date | null;
  mirror_terminal: boolean;
  mirror_expires_at: Date | null;
  zone: string;
  business_deadline: string | null;
  business_deadline_at: Date | null;
  drift_ms: number | null;
  timers: Timer[] | null;
  flight_op: string | null;
  flight_kind: string | null;
  flight_state: string | null;
  flight_reason: string | null;
  conflict: string | null;
  owner_account_id: string | null;
  reminder_owner: string;
  micros: string;
}

export const COLUMNS = Prisma.sql`r.ref, c.name AS connection, c.environment, r.mirror_status, r.mirror_raw_status,
  r.mirror_signed, r.mirror_signers, r.mirror_read_at, r.mirror_terminal, r.mirror_expires_at, r.zone,
  r.business_deadline, r.business_deadline_at, CASE WHEN ${DRIFTS} THEN (${DRIFT_MS})::float8 END AS drift_ms,
  planned.timers, flight.op_id AS flight_op, flight.kind AS flight_kind, flight.state AS flight_state,
  flight.reason AS flight_reason, (${CONFLICT} ORDER BY i.opened_at DESC LIMIT 1) AS conflict, r.owner_account_id,
  r.reminder_owner`;

/** What each row of `r` is shown with: by the index of one request's operations, so for the shown rows only. */
export const JOINS = Prisma.sql`JOIN connections c ON c.tenant_id = r.tenant_id AND c.id = r.connection_id
  LEFT JOIN LATERAL (SELECT json_agg(json_build_object('opId', p.op_id, 'kind', p.kind, 'at', p.due_at)
      ORDER BY p.due_at) AS timers
    FROM (SELECT o.op_id, o.kind, o.due_at FROM operations o
      WHERE o.tenant_id = r.tenant_id AND o.request_ref = r.ref AND o.state = 'scheduled'
        AND o.kind IN ('remind', 'expire') ORDER BY o.due_at LIMIT 20) p) planned ON true
  LEFT JOIN LATERAL (SELECT o.op_id, o.kind, o.state, o.reason FROM operations o
    WHERE o.tenant_id = r.tenant_id AND o.request_ref = r.ref AND o.state IN
      ('claimed', 'submitting', 'needs_reconcile', 'reconciling', 'quarantined', 'needs_review')
    ORDER BY o.state IN ('quarantined', 'needs_review'), o.changed_at DESC LIMIT 1) flight ON true`;

/** 9999, the place of a request without such a clock, in microseconds. */
const NEVER_MICROS = "253370764800000000";

/** A found row as the console and the API show it to this account. */
export function rowOf(row: FoundRow, accountId: string): DeadlineRow {
  const { flight_op: opId, flight_kind: kind, flight_state: state, flight_reason: reason } = row;
  const inFlight =
    opId === null || kind === null || state === null || reason === null
      ? null
      : { opId, kind, state, reason };
  return {
    ref: row.ref,
    connection: row.connection,
    sandbox: row.environment === "sandbox",
    status: row.mirror_status ?? "unread",
    rawStatus: row.mirror_raw_status,
    signed: row.mirror_signed,
    signers: row.mirror_signers,
    zone: row.zone,
    businessDeadlineAt: row.business_deadline_at?.toISOString() ?? null,
    ruleData: ruleDataOf(row.business_deadline),
    platformExpiresAt: row.mirror_expires_at?.toISOString() ?? null,
    readAt: row.mirror_read_at?.toISOString() ?? null,
    driftMs: row.drift_ms,
    timers: (row.timers ?? []).map((timer) => ({
      ...timer,
      at: new Date(timer.at).toISOString(),
    })),
    inFlight,
    unknown: state === "needs_reconcile" || state === "reconciling",
    conflict: row.conflict,
    owner: ownerOf(row.owner_account_id, accountId),
    reminderOwner: row.reminder_owner,
    placeAt: row.micros === NEVER_MICROS ? null : new Date(Number(row.micros) / 1000).toISOString(),
    ended: row.mirror_terminal,
  };
}

function ruleDataOf(text: string | null): string | null {
  if (text === null) return null;
  return BusinessDeadlineSchema.safeParse(JSON.parse(text)).data?.zoneData ?? null;
}

function ownerOf(owner: string | null, accountId: string): DeadlineRow["owner"] {
  if (owner === null) return "nobody";
  return owner === accountId ? "you" : "someone";
}
