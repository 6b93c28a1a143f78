-- Claims that are fair between tenants at any number of tenants (CL-5), quotas per tenant and connection, and the
-- budget of reads (PL-7).

-- ---------------------------------------------------------------- limits, as people set them

-- Null, and a missing row, mean the default in `effective_limits`. Nobody can set 0: to stop there are switches.
CREATE TABLE tenant_limits (
  tenant_id uuid PRIMARY KEY REFERENCES tenants (id),
  in_flight_max integer CHECK (in_flight_max BETWEEN 1 AND 100000),
  calls_per_minute integer CHECK (calls_per_minute BETWEEN 1 AND 100000),
  changed_by text NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT ledger_now()
);
CREATE TABLE connection_limits (
  tenant_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  in_flight_max integer CHECK (in_flight_max BETWEEN 1 AND 100000),
  calls_per_minute integer CHECK (calls_per_minute BETWEEN 1 AND 100000),
  -- Takes the place of what the platform's descriptor says.
  reads_per_hour integer CHECK (reads_per_hour BETWEEN 1 AND 10000000),
  changed_by text NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (tenant_id, connection_id),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id)
);

-- What holds now: one row for the tenant (its connection is null) and one for each connection. Only a read limit may
-- be null, where neither people nor the platform say one.
CREATE FUNCTION effective_limits(tenant uuid)
  RETURNS TABLE (connection_id uuid, in_flight_max integer, calls_per_minute integer, reads_per_hour integer)
  LANGUAGE sql STABLE ROWS 3 AS $$
  SELECT NULL::uuid, coalesce(l.in_flight_max, 400), coalesce(l.calls_per_minute, 1200), NULL::integer
  FROM (SELECT tenant) t LEFT JOIN tenant_limits l ON l.tenant_id = tenant
  UNION ALL
  SELECT c.id, coalesce(l.in_flight_max, 200), coalesce(l.calls_per_minute, 600),
    coalesce(l.reads_per_hour, substring(c.descriptor FROM '"readLimitPerHour"\s*:\s*(\d{1,9})')::integer)
  FROM connections c LEFT JOIN connection_limits l ON l.tenant_id = c.tenant_id AND l.connection_id = c.id
  WHERE c.tenant_id = tenant
$$;

-- ---------------------------------------------------------------- what is used of them

CREATE INDEX operations_in_flight ON operations (tenant_id, connection_id)
  WHERE state IN ('claimed', 'submitting');
CREATE INDEX read_receipts_budget ON read_receipts (tenant_id, connection_id, started_at)
  WHERE connection_id IS NOT NULL;

-- Whose turn it is (start-time fair queueing): a tenant starts where it ended last time, or at the present tag when it
-- is far behind that, which means that it was idle or held; it ends as much later as operations were claimed. The
-- lowest end is next. The row is also the lock under which quotas of the tenant are counted.
CREATE TABLE tenant_turns (
  tenant_id uuid PRIMARY KEY REFERENCES tenants (id),
  start_tag bigint NOT NULL DEFAULT 0,
  finish_tag bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE INDEX tenant_turns_by_start ON tenant_turns (start_tag);

-- So many starts a tenant may be behind and still catch up; who is further behind is not waited for.
CREATE FUNCTION turn_lag_max() RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT 32::bigint $$;

-- Claims of the last minute: one number for each of 61 seconds, that of second s at place s modulo 61.
CREATE TABLE connection_turns (
  tenant_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  starts integer[] NOT NULL DEFAULT array_fill(0, ARRAY[61]),
  last_second bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, connection_id),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id)
) WITH (fillfactor = 50);

CREATE FUNCTION tenants_take_turns() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  INSERT INTO tenant_turns (tenant_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER tenants_turn AFTER INSERT ON tenants
  FOR EACH ROW EXECUTE FUNCTION tenants_take_turns();
ALTER TABLE tenants ENABLE ALWAYS TRIGGER tenants_turn;

CREATE FUNCTION connections_take_turns() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  INSERT INTO connection_turns (tenant_id, connection_id) VALUES (NEW.tenant_id, NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER connections_turn AFTER INSERT ON connections
  FOR EACH ROW EXECUTE FUNCTION connections_take_turns();
ALTER TABLE connections ENABLE ALWAYS TRIGGER connections_turn;

INSERT INTO tenant_turns (tenant_id) SELECT id FROM tenants;
INSERT INTO connection_turns (tenant_id, connection_id) SELECT tenant_id, id FROM connections;

CREATE FUNCTION ledger_second() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT floor(extract(epoch FROM ledger_now()))::bigint
$$;

-- Never less than what was claimed in the 60 s before `second`: the second at the far end counts whole.
CREATE FUNCTION starts_of_minute(starts integer[], last_second bigint, second bigint) RETURNS integer
  LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(sum(starts[1 + s % 61]), 0)::integer
  FROM generate_series(greatest(second, last_second) - 60, last_second) s
$$;

-- The same numbers with `n` more in `second`, and 0 for the seconds since the last change.
CREATE FUNCTION starts_with(starts integer[], last_second bigint, second bigint, n integer) RETURNS integer[]
  LANGUAGE sql IMMUTABLE AS $$
  SELECT array_agg(CASE WHEN s <= last_second THEN starts[1 + s % 61] ELSE 0 END + CASE WHEN s = second THEN n ELSE 0 END
    ORDER BY s % 61)
  FROM generate_series(second - 60, second) s
$$;

-- Counts `n` claims of a connection. The caller holds the tenant's turn.
CREATE FUNCTION note_starts(tenant uuid, connection uuid, n integer) RETURNS integer LANGUAGE sql VOLATILE AS $$
  UPDATE tenant_turns t SET start_tag = at.tag, finish_tag = at.tag + n
  FROM (SELECT CASE WHEN own.finish_tag >= now.tag - turn_lag_max() THEN own.finish_tag ELSE now.tag END AS tag
        FROM tenant_turns own, (SELECT max(start_tag) AS tag FROM tenant_turns) now
        WHERE own.tenant_id = tenant) at
  WHERE t.tenant_id = tenant;
  UPDATE connection_turns c
  SET starts = starts_with(c.starts, c.last_second, greatest(c.last_second, ledger_second()), n),
    last_second = greatest(c.last_second, ledger_second())
  WHERE c.tenant_id = tenant AND c.connection_id = connection;
  SELECT n
$$;

-- Use and limits of the tenant (connection is null) and of each of its connections. In flight is what holds a lease
-- for a change; looks only read. A claim counts as a call whether or not one leaves.
CREATE FUNCTION quota_use(tenant uuid)
  RETURNS TABLE (connection_id uuid, in_flight integer, in_flight_max integer, calls integer,
    calls_per_minute integer, reads_per_hour integer)
  LANGUAGE sql STABLE ROWS 3 AS $$
  WITH allowed AS MATERIALIZED (
    SELECT l.connection_id, l.in_flight_max, l.calls_per_minute, l.reads_per_hour FROM effective_limits(tenant) l
  ), used AS MATERIALIZED (
    SELECT t.connection_id, starts_of_minute(t.starts, t.last_second, ledger_second()) AS calls, (
      SELECT count(*)::integer FROM operations o
      WHERE o.tenant_id = tenant AND o.connection_id = t.connection_id AND o.state IN ('claimed', 'submitting')
    ) AS in_flight
    FROM connection_turns t WHERE t.tenant_id = tenant
  )
  SELECT a.connection_id, coalesce(sum(u.in_flight), 0)::integer, a.in_flight_max, coalesce(sum(u.calls), 0)::integer,
    a.calls_per_minute, a.reads_per_hour
  FROM allowed a LEFT JOIN used u ON a.connection_id IS NULL OR u.connection_id = a.connection_id
  GROUP BY a.connection_id, a.in_flight_max, a.calls_per_minute, a.reads_per_hour
$$;

-- Reads of the last hour (PL-7), counted no further than `most`.
CREATE FUNCTION reads_of_hour(tenant uuid, connection uuid, most integer) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT count(*)::integer FROM (
    SELECT 1 FROM read_receipts r
    WHERE r.tenant_id = tenant AND r.connection_id = connection AND r.started_at > ledger_now() - interval '1 hour'
    LIMIT most) r
$$;

-- ---------------------------------------------------------------- where due work is

-- A list is what one tenant has scheduled of one kind at one connection. A mark says that the list has nothing due
-- before `next_at`; a tenant without due work has no mark that is due, and costs a claim nothing. There may be several
-- marks for a list. Marks that are due are checked by the claim that visits the list (`open_lists`).
CREATE TABLE due_marks (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  connection_id uuid NOT NULL,
  kind text NOT NULL,
  next_at timestamptz NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  PRIMARY KEY (tenant_id, connection_id, kind, next_at, id)
);
CREATE INDEX due_marks_by_time ON due_marks (next_at, tenant_id);

-- The claim's index (C-10): each list in the order of its due times, without what has ended.
DROP INDEX operations_due;
CREATE INDEX operations_due ON operations (tenant_id, connection_id, kind, due_at, op_id) WHERE state = 'scheduled';
-- What else of the same request is approved, under way, unknown or with a person: one look answers for a candidate.
CREATE INDEX operations_open_of_request ON operations (tenant_id, request_ref) WHERE state IN ('scheduled', 'claimed',
  'submitting', 'needs_reconcile', 'reconciling', 'quarantined', 'needs_review');

-- Replaced operations that a sweep ends: few, among many that are scheduled.
CREATE INDEX operations_succeeded ON operations (tenant_id, op_id)
  WHERE state = 'scheduled' AND successor_op_id IS NOT NULL;

-- Sees to it that a mark stands for what is scheduled. The share lock keeps the mark that was found until this
-- transaction ends: whoever settles the list meanwhile leaves it alone, and looks again after deleting others.
CREATE FUNCTION operations_mark_due() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  PERFORM 1 FROM due_marks d
  WHERE d.tenant_id = NEW.tenant_id AND d.connection_id = NEW.connection_id AND d.kind = NEW.kind
    AND d.next_at <= NEW.due_at
  LIMIT 1 FOR KEY SHARE SKIP LOCKED;
  IF NOT FOUND THEN
    INSERT INTO due_marks (tenant_id, connection_id, kind, next_at)
    VALUES (NEW.tenant_id, NEW.connection_id, NEW.kind,
      CASE WHEN NEW.due_at <= ledger_now() THEN '-infinity' ELSE NEW.due_at END);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER operations_mark_insert AFTER INSERT ON operations
  FOR EACH ROW WHEN (NEW.state = 'scheduled') EXECUTE FUNCTION operations_mark_due();
CREATE TRIGGER operations_mark_update AFTER UPDATE ON operations
  FOR EACH ROW WHEN (NEW.state = 'scheduled' AND (OLD.state <> 'scheduled' OR NEW.due_at < OLD.due_at))
  EXECUTE FUNCTION operations_mark_due();
-- Also for what is loaded past the other triggers: without a mark nobody would ever find it.
ALTER TABLE operations ENABLE ALWAYS TRIGGER operations_mark_insert;
ALTER TABLE operations ENABLE ALWAYS TRIGGER operations_mark_update;

INSERT INTO due_marks (tenant_id, connection_id, kind, next_at)
SELECT tenant_id, connection_id, kind, min(due_at) FROM operations WHERE state = 'scheduled'
GROUP BY tenant_id, connection_id, kind;

-- Moves the marks of a list that has nothing due to its first due time, or takes them away. The time is read after the
-- marks are gone, in a snapshot of its own: what was scheduled under a mark that is gone has been committed by then.
CREATE FUNCTION settle_list(tenant uuid, connection uuid, operation_kind text) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  DELETE FROM due_marks d WHERE (d.tenant_id, d.connection_id, d.kind, d.next_at, d.id) IN (
    SELECT m.tenant_id, m.connection_id, m.kind, m.next_at, m.id FROM due_marks m
    WHERE m.tenant_id = tenant AND m.connection_id = connection AND m.kind = operation_kind
    FOR UPDATE SKIP LOCKED);
  INSERT INTO due_marks (tenant_id, connection_id, kind, next_at)
  SELECT tenant, connection, operation_kind, o.due_at FROM operations o
  WHERE o.tenant_id = tenant AND o.connection_id = connection AND o.kind = operation_kind AND o.state = 'scheduled'
  ORDER BY o.due_at LIMIT 1;
END $$;

-- ---------------------------------------------------------------- what a claim may take

-- How many starts a running ramp still allows a tenant now; null while none runs (BL-6).
CREATE FUNCTION ramp_left(tenant uuid) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT NULL::integer
$$;

-- Order inside one request (CL-5): a void, then an extension, goes before an automatic expiry and before reminders.
-- The same table as PLACE_IN_REQUEST in lib/domain/claim-order.ts; a test compares the two.
CREATE FUNCTION place_in_request(operation_kind text) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE operation_kind WHEN 'void' THEN 0 WHEN 'extend' THEN 1 WHEN 'expire' THEN 2
    WHEN 'remind' THEN 4 WHEN 'resend' THEN 4 ELSE 3 END
$$;

-- The tenant's lists that have something due and may give it: not held by a switch, a mode or a ramp (BL-6, GO-1;
-- `ramp_full` names the scopes whose ramp has no room, and stands with the ramps in the next migration), with room in
-- the quotas of connection and tenant, and with reads left (PL-7): each operation in flight may still need the read
-- before and the one after. Settles lists that have nothing due. The caller holds the tenant's turn. Volatile, so that
-- each statement in here sees what was committed before it, also by the worker that had the turn until now.
CREATE FUNCTION open_lists(tenant uuid)
  RETURNS TABLE (connection_id uuid, kind text, connection_free integer, tenant_free integer, held text[])
  LANGUAGE plpgsql VOLATILE ROWS 3 COST 1000 AS $$
#variable_conflict use_column
DECLARE
  list record;
  connections_due uuid[] := '{}';
  kinds_due text[] := '{}';
  stopped text[];
BEGIN
  FOR list IN
    SELECT l.connection_id, l.kind, (
      SELECT o.due_at FROM operations o
      WHERE o.tenant_id = tenant AND o.connection_id = l.connection_id AND o.kind = l.kind AND o.state = 'scheduled'
      ORDER BY o.due_at LIMIT 1) AS first_due
    FROM (SELECT DISTINCT d.connection_id, d.kind FROM due_marks d
          WHERE d.tenant_id = tenant AND d.next_at <= ledger_now()) l
  LOOP
    IF list.first_due <= ledger_now() THEN
      connections_due := connections_due || list.connection_id;
      kinds_due := kinds_due || list.kind;
    ELSE
      PERFORM settle_list(tenant, list.connection_id, list.kind);
    END IF;
  END LOOP;
  IF connections_due = '{}' THEN
    RETURN;
  END IF;
  stopped := held_scopes(tenant) || ramp_full(tenant);
  IF stopped && ARRAY['all', 'tenant'] THEN
    RETURN;
  END IF;
  RETURN QUERY
  WITH quota AS MATERIALIZED (
    SELECT q.connection_id, q.reads_per_hour, q.in_flight,
      least(q.in_flight_max - q.in_flight, q.calls_per_minute - q.calls) AS free
    FROM quota_use(tenant) q
  ), whole AS MATERIALIZED (
    SELECT least(q.free, ramp_left(tenant)) AS free FROM quota q WHERE q.connection_id IS NULL
  ), part AS MATERIALIZED (
    SELECT q.connection_id, CASE WHEN q.reads_per_hour IS NULL THEN q.free ELSE
      least(q.free, (q.reads_per_hour - reads_of_hour(tenant, q.connection_id, q.reads_per_hour)) / 2 - q.in_flight)
      END AS free
    FROM quota q WHERE q.connection_id IS NOT NULL
  )
  SELECT l.connection_id, l.kind, p.free, w.free, stopped
  FROM unnest(connections_due, kinds_due) AS l (connection_id, kind)
  JOIN part p ON p.connection_id = l.connection_id CROSS JOIN whole w
  WHERE p.free > 0 AND w.free > 0 AND NOT is_held(stopped, l.connection_id, l.kind);
END $$;

-- ---------------------------------------------------------------- leases that cover a call (CL-3)

-- The worker asks for its call time-out and as much again before a call when the platform promises nothing; with a
-- shorter lease every operation would be given back for ever.
CREATE FUNCTION connections_check_lease() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.lease_ms <= 2 * NEW.call_timeout_ms THEN
    RAISE EXCEPTION 'a lease of % ms does not cover a call of up to % ms and its margin',
      NEW.lease_ms, NEW.call_timeout_ms USING ERRCODE = 'DL005';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER connections_lease BEFORE INSERT OR UPDATE OF lease_ms, call_timeout_ms ON connections
  FOR EACH ROW EXECUTE FUNCTION connections_check_lease();

-- ---------------------------------------------------------------- roles

GRANT SELECT ON tenant_limits, connection_limits, tenant_turns, connection_turns, due_marks
  TO deadline_console, deadline_worker;
GRANT INSERT, UPDATE ON tenant_limits, connection_limits TO deadline_console;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['tenant_limits', 'connection_limits', 'tenant_turns', 'connection_turns', 'due_marks'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_tenant ON %I USING (tenant_id = current_tenant())
      WITH CHECK (tenant_id = current_tenant())', t);
  END LOOP;
END $$;
