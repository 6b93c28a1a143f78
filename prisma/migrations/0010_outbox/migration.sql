-- Downstream hand-off (OB-1): who is told, what there is to tell, and what became of every telling.

-- ---------------------------------------------------------------- who is told

CREATE TABLE subscribers (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  id uuid NOT NULL,
  name text NOT NULL CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9 ._-]{0,59}$'),
  url text NOT NULL CHECK (length(url) <= 500),
  event_types text[] NOT NULL CHECK (cardinality(event_types) > 0),
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'stopped')),
  stopped_why text CHECK (stopped_why IN ('person', 'gone', 'target_refused')),
  stopped_by text,
  stopped_at timestamptz,
  -- Two secrets sign while one takes the place of the other: the present one, and the one before until its end.
  secret_id text NOT NULL,
  secret_sealed text NOT NULL,
  secret_made_at timestamptz NOT NULL DEFAULT ledger_now(),
  previous_id text,
  previous_sealed text,
  previous_until timestamptz,
  owner text NOT NULL DEFAULT 'team:admins' CHECK (owner <> ''),
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  changed_by text NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT subscribers_stop_is_whole
    CHECK ((state = 'stopped') = (stopped_why IS NOT NULL) AND (stopped_why IS NULL) = (stopped_at IS NULL)),
  CONSTRAINT subscribers_previous_is_whole
    CHECK ((previous_sealed IS NULL) = (previous_until IS NULL) AND (previous_id IS NULL) = (previous_until IS NULL))
);
CREATE UNIQUE INDEX subscribers_name_key ON subscribers (tenant_id, lower(name));

-- ---------------------------------------------------------------- what there is to tell

-- In the order in which facts became visible to the relay. One number for all: nothing is held up to give it out.
CREATE SEQUENCE outbox_seq;

-- The id is the webhook-id of every delivery of it. `fact` names the end that it tells of, so that the same end is
-- told once however often it is reported. Nothing leaves before `released_at` (IN-9).
CREATE TABLE outbox_events (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  id uuid NOT NULL,
  request_ref text,
  -- A test goes to this one only.
  subscriber_id uuid,
  type text NOT NULL CHECK (type IN ('request.completed', 'request.declined', 'request.voided', 'request.expired',
    'operation.settled', 'subscriber.test')),
  fact text NOT NULL,
  revision integer,
  -- Ids of what caused it: op, inbox, receipt; for an operation its kind, state and reason.
  cause text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  held_reason text CHECK (held_reason IN ('awaiting_read', 'read_disagrees')),
  released_at timestamptz,
  -- The read that agreed.
  receipt_id uuid,
  body text,
  seq bigint,
  -- Its deliveries stand in outbox_deliveries since then, held.
  placed_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, request_ref) REFERENCES requests (tenant_id, ref),
  CONSTRAINT outbox_events_held_says_why CHECK ((released_at IS NULL) = (held_reason IS NOT NULL)),
  CONSTRAINT outbox_events_released_has_body CHECK ((released_at IS NULL) = (body IS NULL)),
  CONSTRAINT outbox_events_about_a_request CHECK ((type = 'subscriber.test') = (request_ref IS NULL)),
  CONSTRAINT outbox_events_seq_after_release CHECK (seq IS NULL OR released_at IS NOT NULL)
);
CREATE UNIQUE INDEX outbox_events_once_per_fact ON outbox_events (tenant_id, request_ref, type, fact)
  WHERE request_ref IS NOT NULL;
CREATE INDEX outbox_events_to_number ON outbox_events (released_at, id) WHERE seq IS NULL AND released_at IS NOT NULL;
CREATE INDEX outbox_events_to_place ON outbox_events (created_at, id) WHERE placed_at IS NULL AND released_at IS NULL;
CREATE INDEX outbox_events_held ON outbox_events (tenant_id, request_ref) WHERE released_at IS NULL;

-- The name of an end as the mirror shows it: a replaced request can end again, and so can one that was extended after
-- its expiry, with another expiry.
CREATE FUNCTION end_fact(r requests, type text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(r.platform_ref, '') || CASE WHEN type = 'request.expired'
    THEN '@' || coalesce(extract(epoch FROM r.mirror_expires_at)::text, '') ELSE '' END
$$;

-- What subscribers read: opaque references, types, moments and codes, never a name, an address or a link (PV-4).
CREATE FUNCTION outbox_body(e outbox_events) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'type', e.type,
    'timestamp', to_char(e.released_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'data', json_strip_nulls(json_build_object(
      'request_ref', e.request_ref,
      'revision', e.revision,
      'receipt_id', e.receipt_id,
      'op_id', e.cause::json ->> 'op',
      'kind', e.cause::json ->> 'kind',
      'state', e.cause::json ->> 'state',
      'reason', e.cause::json ->> 'reason')))::text
$$;

-- The bytes are fixed when the event is released, and nothing of it changes after that but its number.
CREATE FUNCTION outbox_events_release() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.released_at IS NOT NULL THEN
    IF (NEW.released_at, NEW.body, NEW.type, NEW.request_ref, NEW.fact, NEW.cause)
        IS DISTINCT FROM (OLD.released_at, OLD.body, OLD.type, OLD.request_ref, OLD.fact, OLD.cause) THEN
      RAISE EXCEPTION 'a released event does not change' USING ERRCODE = 'DL002';
    END IF;
    RETURN NEW;
  END IF;
  IF NEW.released_at IS NOT NULL THEN
    NEW.held_reason := NULL;
    NEW.body := outbox_body(NEW);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER outbox_events_release BEFORE INSERT OR UPDATE ON outbox_events
  FOR EACH ROW EXECUTE FUNCTION outbox_events_release();

CREATE FUNCTION outbox_wake() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('deadline_outbox', '');
  RETURN NULL;
END $$;
CREATE TRIGGER outbox_events_wake AFTER INSERT OR UPDATE OF released_at ON outbox_events
  FOR EACH ROW EXECUTE FUNCTION outbox_wake();

-- An operation that reached its end is told of in the very statement that ends it, where somebody asked to be told.
CREATE FUNCTION operations_tell_settled() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  INSERT INTO outbox_events (tenant_id, id, request_ref, type, fact, cause, released_at)
  SELECT NEW.tenant_id, gen_random_uuid(), NEW.request_ref, 'operation.settled', NEW.op_id || ':' || NEW.state,
    json_build_object('op', NEW.op_id, 'kind', NEW.kind, 'state', NEW.state, 'reason', NEW.reason)::text,
    ledger_now()
  WHERE EXISTS (SELECT 1 FROM subscribers s
    WHERE s.tenant_id = NEW.tenant_id AND 'operation.settled' = ANY (s.event_types))
  ON CONFLICT (tenant_id, request_ref, type, fact) WHERE request_ref IS NOT NULL DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER operations_tell_settled AFTER UPDATE ON operations
  FOR EACH ROW WHEN (NEW.state IN ('done', 'obsolete', 'superseded', 'failed_terminal')
    AND OLD.state NOT IN ('done', 'obsolete', 'superseded', 'failed_terminal'))
  EXECUTE FUNCTION operations_tell_settled();

-- ---------------------------------------------------------------- what became of it

-- One event for one subscriber. `request_ref` and `seq` are the event's, for the order per request and subscriber.
CREATE TABLE outbox_deliveries (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  outbox_id uuid NOT NULL,
  subscriber_id uuid NOT NULL,
  request_ref text,
  seq bigint,
  state text NOT NULL CHECK (state IN ('held', 'queued', 'retrying', 'delivered', 'dead', 'discarded')),
  -- All attempts ever, which number the log; and those since it was last queued, which are bounded.
  attempts integer NOT NULL DEFAULT 0,
  tries integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL DEFAULT ledger_now(),
  lease_owner uuid,
  lease_until timestamptz,
  last_status integer,
  last_error text,
  last_at timestamptz,
  delivered_at timestamptz,
  -- Who ended it without delivery, and the vault entry with the reason.
  discarded_by text,
  discard_reason uuid,
  replayed_by text,
  replayed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, outbox_id, subscriber_id),
  FOREIGN KEY (tenant_id, outbox_id) REFERENCES outbox_events (tenant_id, id),
  FOREIGN KEY (tenant_id, subscriber_id) REFERENCES subscribers (tenant_id, id),
  CONSTRAINT outbox_deliveries_lease_is_whole CHECK ((lease_owner IS NULL) = (lease_until IS NULL)),
  CONSTRAINT outbox_deliveries_ended_is_unleased
    CHECK (state IN ('queued', 'retrying') OR lease_owner IS NULL),
  CONSTRAINT outbox_deliveries_held_has_no_number CHECK (state = 'held' OR state = 'discarded' OR seq IS NOT NULL)
);
CREATE INDEX outbox_deliveries_waiting ON outbox_deliveries (tenant_id, subscriber_id, next_try_at, seq)
  WHERE state IN ('queued', 'retrying');
CREATE INDEX outbox_deliveries_in_order ON outbox_deliveries (tenant_id, subscriber_id, request_ref, seq)
  WHERE state IN ('queued', 'retrying');
CREATE INDEX outbox_deliveries_newest ON outbox_deliveries (tenant_id, created_at DESC, id DESC);
CREATE INDEX outbox_deliveries_by_subscriber ON outbox_deliveries (tenant_id, subscriber_id, created_at DESC, id DESC);
CREATE INDEX outbox_deliveries_by_state ON outbox_deliveries (tenant_id, state, created_at DESC, id DESC);
CREATE INDEX outbox_deliveries_by_request ON outbox_deliveries (tenant_id, request_ref, created_at DESC, id DESC);

-- Written when the attempt begins, so that one whose worker died shows as begun and never reported.
CREATE TABLE delivery_attempts (
  tenant_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  attempt integer NOT NULL,
  worker text NOT NULL,
  began_at timestamptz NOT NULL DEFAULT ledger_now(),
  duration_ms integer,
  status integer,
  outcome text CHECK (outcome IN ('delivered', 'answered', 'gone', 'redirect', 'timeout', 'connection_lost',
    'target_refused')),
  PRIMARY KEY (tenant_id, delivery_id, attempt),
  FOREIGN KEY (tenant_id, delivery_id) REFERENCES outbox_deliveries (tenant_id, id)
);

-- ---------------------------------------------------------------- who is asked

ALTER TABLE review_items ADD COLUMN subscriber_id uuid,
  ADD FOREIGN KEY (tenant_id, subscriber_id) REFERENCES subscribers (tenant_id, id);
CREATE UNIQUE INDEX review_items_one_open_per_subscriber ON review_items (tenant_id, subscriber_id, reason)
  WHERE settled_at IS NULL AND subscriber_id IS NOT NULL;

-- Further kinds of entries come with further controls; which ones there are says the code that writes them.
ALTER TABLE control_events DROP CONSTRAINT control_events_kind_check;
ALTER TABLE control_events ADD CONSTRAINT control_events_kind_check CHECK (kind ~ '^[a-z][a-z_]{2,39}$');

-- ---------------------------------------------------------------- roles

GRANT SELECT ON subscribers, outbox_events, outbox_deliveries, delivery_attempts TO deadline_console, deadline_worker;
GRANT INSERT, UPDATE ON subscribers, outbox_events, outbox_deliveries TO deadline_console;
GRANT INSERT, UPDATE ON outbox_events, outbox_deliveries, delivery_attempts TO deadline_worker;
GRANT UPDATE (state, stopped_why, stopped_by, stopped_at) ON subscribers TO deadline_worker;
GRANT USAGE ON SEQUENCE outbox_seq TO deadline_console, deadline_worker;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['subscribers', 'outbox_events', 'outbox_deliveries', 'delivery_attempts'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_tenant ON %I USING (tenant_id = current_tenant())
      WITH CHECK (tenant_id = current_tenant())', t);
  END LOOP;
END $$;
