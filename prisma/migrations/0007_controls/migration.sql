-- Switches with reason, preview and ramp (BL-6), and the records of shadow mode (GO-1).

-- ---------------------------------------------------------------- shadow mode

-- What would have been done. A record is no operation: it has no key and takes no slot, and nothing of it reaches
-- the platform.
CREATE TABLE shadow_records (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('send', 'resend', 'remind', 'extend', 'expire', 'void', 'sign', 'finalize')),
  request_ref text NOT NULL,
  connection_id uuid NOT NULL,
  canonical_text text NOT NULL,
  payload_hash text NOT NULL,
  planned_by text NOT NULL,
  -- The timer that it stands for, with the operation whose approval carries it; or the proposal that people approved.
  plan_id uuid,
  occurrence integer,
  approved_op_id uuid,
  due_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  state text NOT NULL DEFAULT 'planned'
    CHECK (state IN ('planned', 'judged', 'compared', 'released', 'dropped')),
  -- A worker that took the record has it to itself until then.
  taken_until timestamptz,
  -- What the read before showed and meant.
  judged_at timestamptz,
  receipt_id uuid,
  would_act boolean,
  verdict text,
  reason text,
  -- What the platform showed later.
  compare_at timestamptz,
  compared_at timestamptz,
  compare_receipt_id uuid,
  comparison text CHECK (comparison IN ('same', 'different', 'not_comparable')),
  observed text,
  -- The operation that it became when its kind went live.
  released_op_id uuid,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, request_ref) REFERENCES requests (tenant_id, ref),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id),
  CONSTRAINT shadow_records_plan_is_whole CHECK ((plan_id IS NULL) = (occurrence IS NULL)),
  CONSTRAINT shadow_records_judged_is_whole
    CHECK ((judged_at IS NULL) = (verdict IS NULL) AND (judged_at IS NULL) = (would_act IS NULL)),
  CONSTRAINT shadow_records_compared_is_whole CHECK ((compared_at IS NULL) = (comparison IS NULL))
);
CREATE UNIQUE INDEX shadow_records_once_per_timer ON shadow_records (tenant_id, plan_id, occurrence)
  WHERE plan_id IS NOT NULL;
CREATE UNIQUE INDEX shadow_records_once_per_approval ON shadow_records (tenant_id, approved_op_id)
  WHERE approved_op_id IS NOT NULL AND plan_id IS NULL;
CREATE INDEX shadow_records_due ON shadow_records (due_at, id) WHERE state = 'planned';
CREATE INDEX shadow_records_to_compare ON shadow_records (compare_at, id) WHERE state = 'judged';
CREATE INDEX shadow_records_newest ON shadow_records (tenant_id, created_at DESC, id DESC);

GRANT SELECT, INSERT, UPDATE ON shadow_records TO deadline_console, deadline_worker;
ALTER TABLE shadow_records ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_tenant ON shadow_records USING (tenant_id = current_tenant())
  WITH CHECK (tenant_id = current_tenant());

-- ---------------------------------------------------------------- switches

ALTER TABLE pauses
  ADD COLUMN reason_digest text,
  -- A code where the ledger paused by itself; people's reasons are vault entries.
  ADD COLUMN reason_code text,
  ADD COLUMN review_at timestamptz,
  ADD COLUMN resume_asked_by text,
  ADD COLUMN resume_asked_at timestamptz,
  ADD COLUMN resume_asked_hash text,
  ADD COLUMN resume_asked_count integer,
  -- After resuming: starts per minute at first, at which rate the ramp is over, and how many were held.
  ADD COLUMN ramp_per_minute integer CHECK (ramp_per_minute > 0),
  ADD COLUMN ramp_limit integer CHECK (ramp_limit > 0),
  ADD COLUMN ramp_total integer,
  ADD COLUMN ramp_ended_at timestamptz,
  ADD CONSTRAINT pauses_ask_is_whole CHECK ((resume_asked_by IS NULL) = (resume_asked_at IS NULL));

-- Connections that the ledger paused by itself become switches like all others.
INSERT INTO pauses (tenant_id, id, scope, connection_id, paused_by, paused_at, reason_code)
SELECT c.tenant_id, gen_random_uuid(), 'connection', c.id, 'system:connection', c.paused_at, c.paused_reason
FROM connections c
WHERE c.paused_at IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM pauses p WHERE p.tenant_id = c.tenant_id AND p.connection_id = c.id AND p.resumed_at IS NULL);

-- One switch per scope: a second click is answered with the first.
CREATE UNIQUE INDEX pauses_one_per_scope
  ON pauses (tenant_id, scope, coalesce(kind, connection_id::text, '')) WHERE resumed_at IS NULL;
CREATE INDEX pauses_ramping ON pauses (tenant_id)
  WHERE resumed_at IS NOT NULL AND ramp_per_minute IS NOT NULL AND ramp_ended_at IS NULL;
-- For "last new start" and for what a ramp has started.
CREATE INDEX IF NOT EXISTS attempts_by_intent ON attempts (tenant_id, intent_at);

-- How many starts a ramp allows from its begin until now: one at once, then `per_minute`, doubling every 5 minutes.
CREATE FUNCTION ramp_allowed(per_minute integer, since timestamptz) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT least(1000000, 1 + floor(per_minute * (5 * (power(2, k) - 1) + (m - 5 * k) * power(2, k))))::integer
  FROM (SELECT greatest(0, extract(epoch FROM ledger_now() - since)::float8 / 60) AS m) t
  CROSS JOIN LATERAL (SELECT least(floor(t.m / 5), 20) AS k) step
$$;

-- The ramps that limit new starts of a tenant now: allowed so far, started, and claimed but not started yet.
CREATE FUNCTION running_ramps(tenant uuid)
  RETURNS TABLE (scope text, allowed integer, started integer, in_hand integer) LANGUAGE sql STABLE AS $$
  SELECT s.scope, ramp_allowed(p.ramp_per_minute, p.resumed_at),
    (SELECT count(*)::integer FROM attempts a
     JOIN operations o ON o.tenant_id = a.tenant_id AND o.op_id = a.op_id
     WHERE a.tenant_id = tenant AND a.intent_at >= p.resumed_at
       AND is_held(ARRAY[s.scope], o.connection_id, o.kind)),
    (SELECT count(*)::integer FROM operations o
     WHERE o.tenant_id = tenant AND o.state = 'claimed'
       AND is_held(ARRAY[s.scope], o.connection_id, o.kind))
  FROM pauses p
  CROSS JOIN LATERAL (SELECT coalesce(p.kind, p.connection_id::text, p.scope) AS scope) s
  WHERE p.tenant_id IN (tenant, '00000000-0000-0000-0000-000000000000')
    AND p.resumed_at IS NOT NULL AND p.ramp_per_minute IS NOT NULL AND p.ramp_ended_at IS NULL
    AND (p.tenant_id = tenant) = (p.scope <> 'all')
$$;

-- How many starts the ramps leave to one claim; null while none runs or none has room. Scopes without room are
-- in `ramp_full`.
DROP FUNCTION IF EXISTS ramp_left(uuid);
CREATE FUNCTION ramp_left(tenant uuid) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT min(allowed - started - in_hand) FROM running_ramps(tenant) WHERE started + in_hand < allowed
$$;

-- Scopes whose ramp allows no further claim now.
CREATE FUNCTION ramp_full(tenant uuid) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT coalesce(array_agg(scope), '{}') FROM running_ramps(tenant) WHERE started + in_hand >= allowed
$$;

-- What switches and modes hold within a tenant: `all`, `tenant`, kinds that are paused or not live, connections.
CREATE FUNCTION switched_off(tenant uuid) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY(
    SELECT coalesce(p.kind, p.connection_id::text, p.scope) FROM pauses p
    WHERE p.resumed_at IS NULL AND (p.tenant_id = tenant AND p.scope <> 'all'
      OR p.tenant_id = '00000000-0000-0000-0000-000000000000' AND p.scope = 'all')
    UNION ALL
    SELECT c.id::text FROM connections c WHERE c.tenant_id = tenant AND c.paused_at IS NOT NULL
    UNION ALL
    SELECT k.kind FROM unnest(ARRAY['send', 'resend', 'remind', 'extend', 'expire', 'void', 'sign', 'finalize'])
      AS k (kind)
    WHERE k.kind <> ALL (ARRAY(SELECT m.kind FROM kind_modes m WHERE m.tenant_id = tenant AND m.mode = 'live')))
$$;

-- BL-6, GO-1: what no new start may go through, ramps without room included.
CREATE OR REPLACE FUNCTION held_scopes(tenant uuid) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT switched_off(tenant) || ARRAY(SELECT scope FROM running_ramps(tenant) WHERE started >= allowed)
$$;

-- True while a switch or mode holds new starts; a ramp without room is no pause.
CREATE OR REPLACE FUNCTION is_paused(tenant uuid, connection uuid, operation_kind text) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT is_held(switched_off(tenant), connection, operation_kind)
$$;

-- The ledger pauses a connection by itself when its credential is refused (PL-3); people resume it.
GRANT INSERT ON pauses, control_events TO deadline_worker;
GRANT UPDATE (paused_at, paused_reason) ON connections TO deadline_console;
