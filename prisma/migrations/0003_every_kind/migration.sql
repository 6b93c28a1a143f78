-- Every kind of operation: timers and reminders of a request, modes per kind, and the record of what was changed
-- about how the ledger runs.

-- ---------------------------------------------------------------- what a request shows and who reminds

ALTER TABLE requests
  -- RM-1: one owner of reminders per workflow; its versions stand in reminder_owners.
  ADD COLUMN reminder_owner text NOT NULL DEFAULT 'application'
    CHECK (reminder_owner IN ('platform', 'application')),
  -- Null where the platform does not say.
  ADD COLUMN mirror_platform_reminders boolean,
  ADD COLUMN mirror_last_delivery_at timestamptz,
  -- The plan whose timers are in force; a newer plan leaves the timers of older ones without a claim (TM-3).
  ADD COLUMN timer_plan_id uuid;
-- What comes first of the two clocks that end a request.
CREATE INDEX requests_open_by_earliest ON requests (tenant_id, least(business_deadline_at, mirror_expires_at), ref)
  WHERE NOT mirror_terminal;
CREATE INDEX requests_open_by_expiry ON requests (tenant_id, mirror_expires_at, ref) WHERE NOT mirror_terminal;

ALTER TABLE read_receipts
  ADD COLUMN connection_id uuid,
  ADD COLUMN last_delivery_at timestamptz,
  ADD COLUMN platform_reminders boolean;

ALTER TABLE read_receipts DROP CONSTRAINT read_receipts_purpose_check;
ALTER TABLE read_receipts ADD CONSTRAINT read_receipts_purpose_check CHECK (purpose IN
  ('before', 'after', 'look', 'last_look', 'page', 'event', 'decision', 'sweep', 'shadow'));

CREATE TABLE reminder_owners (
  tenant_id uuid NOT NULL,
  request_ref text NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  owner text NOT NULL CHECK (owner IN ('platform', 'application')),
  decided_by text NOT NULL,
  op_id uuid,
  at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (tenant_id, request_ref, version),
  FOREIGN KEY (tenant_id, request_ref) REFERENCES requests (tenant_id, ref)
);
CREATE TRIGGER reminder_owners_append_only BEFORE UPDATE OR DELETE ON reminder_owners
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- RM-2: every contact with a signer that counts for the minimum interval, whoever made it. `certain` is false for a
-- reminder of which nobody knows whether it went out: it counts as sent (RC-5).
CREATE TABLE signer_contacts (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  request_ref text NOT NULL,
  subject_ref text NOT NULL,
  source text NOT NULL CHECK (source IN ('automatic', 'manual', 'bulk', 'agent', 'platform', 'elsewhere')),
  op_id uuid,
  at timestamptz NOT NULL,
  certain boolean NOT NULL DEFAULT true,
  recorded_by text NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, request_ref) REFERENCES requests (tenant_id, ref),
  FOREIGN KEY (tenant_id, op_id) REFERENCES operations (tenant_id, op_id)
);
CREATE INDEX signer_contacts_newest ON signer_contacts (tenant_id, request_ref, subject_ref, at DESC);
CREATE UNIQUE INDEX signer_contacts_once_per_operation ON signer_contacts (tenant_id, op_id, subject_ref)
  WHERE op_id IS NOT NULL;
CREATE TRIGGER signer_contacts_append_only BEFORE UPDATE OR DELETE ON signer_contacts
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- ---------------------------------------------------------------- operations of a plan, and of a replacement

ALTER TABLE operations
  -- The plan that this timer belongs to and its place in it (ID-1); null for what a person asked for.
  ADD COLUMN plan_id uuid,
  ADD COLUMN occurrence integer,
  -- ID-7: a replacement starts only when this operation, the void of what it replaces, is done.
  ADD COLUMN waits_for_op_id uuid,
  ADD CONSTRAINT operations_plan_is_whole CHECK ((plan_id IS NULL) = (occurrence IS NULL)),
  ADD FOREIGN KEY (tenant_id, waits_for_op_id) REFERENCES operations (tenant_id, op_id);
CREATE INDEX operations_timers ON operations (tenant_id, due_at, request_ref)
  WHERE state = 'scheduled' AND kind IN ('remind', 'expire');
CREATE INDEX operations_by_plan ON operations (tenant_id, plan_id, occurrence) WHERE plan_id IS NOT NULL;
CREATE INDEX operations_waiting_for ON operations (tenant_id, waits_for_op_id) WHERE waits_for_op_id IS NOT NULL;

-- ---------------------------------------------------------------- how the ledger runs (GO-1, BL-6, AP-2)

-- GO-1. A kind without a row is off.
CREATE TABLE kind_modes (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  kind text NOT NULL CHECK (kind IN ('send', 'resend', 'remind', 'extend', 'expire', 'void', 'sign', 'finalize')),
  mode text NOT NULL CHECK (mode IN ('off', 'shadow', 'live')),
  changed_by text NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (tenant_id, kind)
);
-- What worked before there were modes goes on working.
INSERT INTO kind_modes (tenant_id, kind, mode, changed_by)
SELECT t.id, k.kind, 'live', 'system:migration'
FROM tenants t CROSS JOIN unnest(ARRAY['send', 'resend', 'remind', 'extend', 'expire', 'void']) AS k (kind)
WHERE t.slug <> 'installation';

-- Everything that a person changed about how the ledger runs: switches, modes, limits, policies. `body` is JSON
-- without personal data; typed reasons are vault entries and stand here as reference and digest (SM-3).
CREATE TABLE control_events (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('paused', 'resume_asked', 'resumed', 'ramp_ended', 'mode_changed',
    'mode_asked', 'limits_changed', 'policy_saved')),
  about text NOT NULL,
  actor text NOT NULL,
  body text NOT NULL,
  at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX control_events_newest ON control_events (tenant_id, at DESC, id DESC);
CREATE TRIGGER control_events_append_only BEFORE UPDATE OR DELETE ON control_events
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- BL-6, GO-1: what is held within a tenant: `all`, `tenant`, kinds that are paused or not live, ids of connections.
CREATE OR REPLACE FUNCTION held_scopes(tenant uuid) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY(
    SELECT coalesce(p.kind, p.connection_id::text, p.scope) FROM pauses p
    WHERE p.resumed_at IS NULL AND (p.tenant_id = tenant AND p.scope <> 'all'
      OR p.tenant_id = '00000000-0000-0000-0000-000000000000' AND p.scope = 'all')
    UNION ALL
    SELECT c.id::text FROM connections c WHERE c.tenant_id = tenant AND c.paused_at IS NOT NULL
    UNION ALL
    SELECT k.kind FROM unnest(ARRAY['send', 'resend', 'remind', 'extend', 'expire', 'void', 'sign', 'finalize'])
      AS k (kind)
    WHERE NOT EXISTS (
      SELECT 1 FROM kind_modes m WHERE m.tenant_id = tenant AND m.kind = k.kind AND m.mode = 'live'))
$$;

-- Wakes every worker when a switch, a mode or a limit changed, so that each can say that it has seen it (BL-6).
ALTER TABLE workers ADD COLUMN controls_seen_at timestamptz;
CREATE FUNCTION controls_wake() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('deadline_controls', '');
  RETURN NULL;
END $$;
CREATE TRIGGER control_events_wake AFTER INSERT ON control_events
  FOR EACH ROW EXECUTE FUNCTION controls_wake();

-- ---------------------------------------------------------------- roles

GRANT SELECT ON reminder_owners, signer_contacts, kind_modes, control_events TO deadline_console, deadline_worker;
GRANT INSERT ON reminder_owners, signer_contacts TO deadline_console, deadline_worker;
GRANT INSERT, UPDATE ON kind_modes TO deadline_console;
GRANT INSERT ON control_events, policies TO deadline_console;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['reminder_owners', 'signer_contacts', 'kind_modes', 'control_events'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_tenant ON %I USING (tenant_id = current_tenant())
      WITH CHECK (tenant_id = current_tenant())', t);
  END LOOP;
END $$;
