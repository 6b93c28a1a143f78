-- Inbound events in full: what became of each, what is still to be applied, who replayed or read one, and polling of
-- connections whose platform does not tell us.

ALTER TABLE inbox_events
  ADD COLUMN source text NOT NULL DEFAULT 'webhook' CHECK (source IN ('webhook', 'poll')),
  -- The request that it was found to be about.
  ADD COLUMN request_ref text,
  -- The time that the sender signed, for the age at receipt (IN-1).
  ADD COLUMN signed_at timestamptz,
  ADD COLUMN last_copy_at timestamptz,
  -- IN-2, IN-8: tries to apply it, and when the next one is due while it is `received`.
  ADD COLUMN attempts integer NOT NULL DEFAULT 0,
  ADD COLUMN next_try_at timestamptz NOT NULL DEFAULT ledger_now(),
  -- A code, never a message.
  ADD COLUMN last_error text,
  -- What it changed, as JSON of codes and counts.
  ADD COLUMN effects text,
  -- IN-5: the final end that the mirror held when this event told another, and the read that settled it.
  ADD COLUMN contradicts text,
  ADD COLUMN receipt_id uuid,
  -- SHA-256 of the raw body; it stays when the body itself is purged (IN-8).
  ADD COLUMN body_digest text NOT NULL DEFAULT '',
  ADD COLUMN purged_at timestamptz,
  ADD COLUMN replays integer NOT NULL DEFAULT 0,
  ADD COLUMN replayed_at timestamptz,
  ADD COLUMN replayed_by text;
CREATE INDEX inbox_events_to_apply ON inbox_events (next_try_at) WHERE outcome = 'received';
CREATE INDEX inbox_events_newest ON inbox_events (tenant_id, received_at DESC, id DESC);
CREATE INDEX inbox_events_with_body ON inbox_events (received_at) WHERE purged_at IS NULL;
CREATE INDEX inbox_events_contradicting ON inbox_events (received_at)
  WHERE contradicts IS NOT NULL AND receipt_id IS NULL;
CREATE INDEX inbox_events_waiting_for_send ON inbox_events (received_at) WHERE outcome = 'unmatched';
CREATE INDEX inbox_events_set_aside ON inbox_events (tenant_id, outcome, received_at DESC, id DESC)
  WHERE outcome IN ('received', 'unmatched', 'quarantined', 'dead');

-- An event joins a read of its request that nobody has taken yet.
CREATE INDEX read_orders_of_request ON read_orders (tenant_id, request_ref) WHERE taken_at IS NULL;

-- One open item per event and reason, however often it is replayed.
CREATE UNIQUE INDEX review_items_one_open_per_event ON review_items (tenant_id, inbox_id, reason)
  WHERE settled_at IS NULL AND inbox_id IS NOT NULL;

-- IN-8: who had an event applied again, and who looked at a raw body. `result` is a code.
CREATE TABLE inbox_acts (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  inbox_id uuid NOT NULL,
  act text NOT NULL CHECK (act IN ('replayed', 'raw_shown')),
  actor text NOT NULL,
  result text NOT NULL,
  -- The typed reason as reference and digest of a vault entry (SM-3).
  reason_entry uuid,
  reason_digest text,
  at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, inbox_id) REFERENCES inbox_events (tenant_id, id)
);
CREATE INDEX inbox_acts_by_event ON inbox_acts (tenant_id, inbox_id, at);
CREATE TRIGGER inbox_acts_append_only BEFORE UPDATE OR DELETE ON inbox_acts
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- IN-1: how many deliveries of a connection failed authentication, per hour and cause. Nothing of them is kept.
CREATE TABLE inbox_refusals (
  tenant_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  hour timestamptz NOT NULL,
  why text NOT NULL CHECK (why IN ('headers', 'timestamp', 'signature')),
  count integer NOT NULL CHECK (count > 0),
  PRIMARY KEY (tenant_id, connection_id, hour, why),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id)
);

-- ---------------------------------------------------------------- settings of a connection

ALTER TABLE connections
  -- IN-7: `when_silent` polls while no authentic delivery came for `silent_after_ms`.
  ADD COLUMN polling text NOT NULL DEFAULT 'off' CHECK (polling IN ('off', 'when_silent', 'always')),
  ADD COLUMN silent_after_ms integer NOT NULL DEFAULT 3600000 CHECK (silent_after_ms > 0),
  -- The account at the platform whose events are ours; null where events name none.
  ADD COLUMN platform_account text,
  -- IN-8: how long raw bodies are kept.
  ADD COLUMN raw_retention_days integer NOT NULL DEFAULT 30 CHECK (raw_retention_days BETWEEN 1 AND 3650);

ALTER TABLE requests
  -- When an event last moved the mirror: a read that started before knows less (IN-5).
  ADD COLUMN mirror_event_at timestamptz,
  -- When a polled request is read next (IN-7).
  ADD COLUMN next_poll_at timestamptz NOT NULL DEFAULT ledger_now();
CREATE INDEX requests_next_poll ON requests (tenant_id, connection_id, next_poll_at, ref)
  WHERE NOT mirror_terminal AND platform_ref IS NOT NULL;

-- ---------------------------------------------------------------- roles

GRANT SELECT (polling, silent_after_ms, platform_account, raw_retention_days) ON connections TO deadline_console;
GRANT SELECT ON inbox_acts, inbox_refusals TO deadline_console, deadline_worker;
GRANT INSERT ON inbox_acts TO deadline_console;
GRANT INSERT, UPDATE ON inbox_refusals TO deadline_console;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['inbox_acts', 'inbox_refusals'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_tenant ON %I USING (tenant_id = current_tenant())
      WITH CHECK (tenant_id = current_tenant())', t);
  END LOOP;
END $$;
