-- Filters of the history that meet little of it: what seldom happens is what people look for, and a walk by time would
-- read everything to find it. What every operation goes through is left out, so that its moves cost no more than before.
-- lib/queries/history-page.ts repeats the conditions word by word.
CREATE INDEX operation_events_by_reason ON operation_events (tenant_id, reason, at DESC, op_id DESC, seq DESC)
  WHERE reason NOT IN ('awaiting_approval', 'approved', 'picked_up', 'intent_stored', 'effect_confirmed');
CREATE INDEX operation_events_by_kind ON operation_events (tenant_id, kind, at DESC, op_id DESC, seq DESC)
  WHERE kind <> 'transition';
CREATE INDEX operation_events_by_state ON operation_events (tenant_id, to_state, at DESC, op_id DESC, seq DESC)
  WHERE to_state NOT IN ('proposed', 'scheduled', 'claimed', 'submitting', 'done');
-- Entries of a kind are found through its operations where there are few of them; the times say which can have one in
-- a period.
CREATE INDEX operations_of_seldom_kind ON operations (tenant_id, kind, changed_at) INCLUDE (op_id, created_at)
  WHERE kind NOT IN ('send', 'remind', 'extend');
