import type { OperationKind } from "./operation";

/**
 * Ageing of due work (CL-5): each of these that an operation is overdue raises it by one step of PRIORITY, so that a
 * reminder of half an hour ago goes before a void of this minute, and nothing starves. Milliseconds.
 */
export const AGEING_STEP_MS = 10 * 60_000;

/**
 * Order inside one request (CL-5): an approved void, then an approved extension, goes before an automatic expiry and
 * before reminders, also when those were due earlier. Lower goes first; equal places go by due time. The database has
 * the same table as `place_in_request`.
 */
export const PLACE_IN_REQUEST: Record<OperationKind, number> = {
  void: 0,
  extend: 1,
  expire: 2,
  send: 3,
  sign: 3,
  finalize: 3,
  remind: 4,
  resend: 4,
};
