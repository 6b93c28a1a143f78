-- Notices to people (OB-2): what they are told of, by which way, and what became of every telling.

-- ---------------------------------------------------------------- how a person wants to be told

-- Belongs to the person and not to a tenant, like the zone. No row: by mail, at any hour.
CREATE TABLE notice_preferences (
  account_id uuid PRIMARY KEY REFERENCES accounts (id),
  mail boolean NOT NULL DEFAULT true,
  -- Another address than the login, sealed; null means the login.
  mail_to_sealed text,
  chat boolean NOT NULL DEFAULT false,
  -- Whoever knows the address of an incoming webhook may write into the channel.
  chat_url_sealed text,
  -- Wall-clock times in the person's zone, over midnight when the first is the later one.
  quiet_from text CHECK (quiet_from ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  quiet_until text CHECK (quiet_until ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  changed_at timestamptz NOT NULL DEFAULT ledger_now(),
  CONSTRAINT notice_preferences_quiet_is_whole
    CHECK ((quiet_from IS NULL) = (quiet_until IS NULL) AND quiet_from IS DISTINCT FROM coalesce(quiet_until, '')),
  CONSTRAINT notice_preferences_chat_has_address CHECK (NOT chat OR chat_url_sealed IS NOT NULL)
);

-- ---------------------------------------------------------------- where a tenant is told

CREATE TABLE notice_endpoints (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  id uuid NOT NULL,
  name text NOT NULL CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9 ._-]{0,59}$'),
  kind text NOT NULL CHECK (kind IN ('chat', 'webhook')),
  -- The address is a secret; only its host is ever shown.
  host text NOT NULL,
  url_sealed text NOT NULL,
  -- A generic webhook is signed; a chat's address is its own credential.
  secret_id text,
  secret_sealed text,
  -- Teams whose notices arrive here; empty means all notices of the tenant.
  teams text[] NOT NULL DEFAULT '{}',
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'stopped')),
  stopped_why text CHECK (stopped_why IN ('person', 'gone', 'target_refused')),
  stopped_at timestamptz,
  last_outcome text,
  last_status integer,
  last_at timestamptz,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  changed_by text NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT notice_endpoints_webhook_has_secret
    CHECK ((kind = 'webhook') = (secret_sealed IS NOT NULL) AND (secret_id IS NULL) = (secret_sealed IS NULL)),
  CONSTRAINT notice_endpoints_stop_is_whole
    CHECK ((state = 'stopped') = (stopped_why IS NOT NULL) AND (stopped_why IS NULL) = (stopped_at IS NULL))
);
CREATE UNIQUE INDEX notice_endpoints_name_key ON notice_endpoints (tenant_id, lower(name));

-- ---------------------------------------------------------------- what there is to tell

-- One open row is one matter for one audience: whatever else joins it meanwhile only counts. Opaque references, codes
-- and a path into the console, never a name, an address or a link of a platform (PV-4).
CREATE TABLE notices (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  id uuid NOT NULL,
  matter text NOT NULL CHECK (length(matter) BETWEEN 1 AND 300),
  -- account:<uuid>, team:<name>, or endpoint:<uuid> for a test of that endpoint.
  audience text NOT NULL CHECK (audience ~ '^(account|team|endpoint):[a-z0-9-]+$'),
  kind text NOT NULL CHECK (kind ~ '^[a-z][a-z_]{2,39}$'),
  escalation boolean NOT NULL,
  reason text,
  consequence text,
  -- How many joined so far.
  count integer NOT NULL CHECK (count > 0),
  -- Below /t/<slug> of the console.
  path text NOT NULL CHECK (path ~ '^/[A-Za-z0-9_/?=&.:,~%-]*$' AND path !~ '//' AND length(path) <= 500),
  -- When the first of them is lost.
  loses_at timestamptz,
  opened_at timestamptz NOT NULL DEFAULT ledger_now(),
  joined_at timestamptz NOT NULL DEFAULT ledger_now(),
  -- A storm gathers until then, so that the message can tell how many.
  plan_at timestamptz NOT NULL DEFAULT ledger_now(),
  planned_at timestamptz,
  -- Only who of the team is on call was told.
  by_rota boolean NOT NULL DEFAULT false,
  -- There was no way to tell anybody: mail is off and the tenant has no endpoint.
  silent boolean NOT NULL DEFAULT false,
  closed_at timestamptz,
  closed_why text CHECK (closed_why IN ('quiet', 'settled')),
  reached_at timestamptz,
  -- Nobody was reached in the tries that were allowed; the next in line was told.
  unreached_at timestamptz,
  -- The notice that reached nobody, which this one takes to the next in line.
  follows uuid,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, follows) REFERENCES notices (tenant_id, id),
  CONSTRAINT notices_closed_says_why CHECK ((closed_at IS NULL) = (closed_why IS NULL))
);
CREATE UNIQUE INDEX notices_one_open_per_matter ON notices (tenant_id, matter, audience, escalation)
  WHERE closed_at IS NULL;
CREATE INDEX notices_to_plan ON notices (plan_at, tenant_id, id) WHERE planned_at IS NULL AND closed_at IS NULL;
CREATE INDEX notices_newest ON notices (tenant_id, opened_at DESC, id DESC);
CREATE INDEX notices_tests ON notices (tenant_id, audience, opened_at) WHERE kind = 'test';
CREATE INDEX notices_open ON notices (tenant_id, kind, id) WHERE closed_at IS NULL;
CREATE INDEX notices_to_judge ON notices (tenant_id, id)
  WHERE planned_at IS NOT NULL AND reached_at IS NULL AND unreached_at IS NULL AND NOT silent AND kind <> 'test'
    AND closed_why IS DISTINCT FROM 'settled';

-- One notice by one way. The id makes the Message-ID and the webhook-id, so that a repeat is known as one.
CREATE TABLE notice_deliveries (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  notice_id uuid NOT NULL,
  account_id uuid REFERENCES accounts (id),
  endpoint_id uuid,
  channel text NOT NULL CHECK (channel IN ('mail', 'chat', 'webhook')),
  -- `refused`: for good, by the receiver; `dead`: not taken in all tries; `dropped`: nothing left to tell of.
  state text NOT NULL DEFAULT 'queued'
    CHECK (state IN ('queued', 'retrying', 'delivered', 'refused', 'dead', 'dropped')),
  -- The count that the first attempt told; every repeat tells the same.
  told integer,
  attempts integer NOT NULL DEFAULT 0,
  tries integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL DEFAULT ledger_now(),
  lease_owner uuid,
  lease_until timestamptz,
  last_status integer,
  last_error text,
  last_at timestamptz,
  delivered_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (tenant_id, id),
  UNIQUE NULLS NOT DISTINCT (tenant_id, notice_id, account_id, endpoint_id, channel),
  FOREIGN KEY (tenant_id, notice_id) REFERENCES notices (tenant_id, id),
  FOREIGN KEY (tenant_id, endpoint_id) REFERENCES notice_endpoints (tenant_id, id),
  CONSTRAINT notice_deliveries_to_somebody CHECK ((account_id IS NULL) <> (endpoint_id IS NULL)),
  CONSTRAINT notice_deliveries_lease_is_whole CHECK ((lease_owner IS NULL) = (lease_until IS NULL)),
  CONSTRAINT notice_deliveries_ended_is_unleased CHECK (state IN ('queued', 'retrying') OR lease_owner IS NULL)
);
CREATE INDEX notice_deliveries_waiting ON notice_deliveries (next_try_at, tenant_id, id)
  WHERE state IN ('queued', 'retrying');
CREATE INDEX notice_deliveries_by_account ON notice_deliveries (account_id, created_at DESC, id DESC);
CREATE INDEX notice_deliveries_by_endpoint ON notice_deliveries (tenant_id, endpoint_id, created_at DESC, id DESC);

-- ---------------------------------------------------------------- who is waited for

-- Proposals of which approvers were not told yet.
CREATE TABLE approval_waits (
  tenant_id uuid NOT NULL,
  op_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, op_id),
  FOREIGN KEY (tenant_id, op_id) REFERENCES operations (tenant_id, op_id)
);

CREATE FUNCTION operations_wait_for_approval() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  INSERT INTO approval_waits (tenant_id, op_id) VALUES (NEW.tenant_id, NEW.op_id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER operations_wait_insert AFTER INSERT ON operations
  FOR EACH ROW WHEN (NEW.state = 'proposed') EXECUTE FUNCTION operations_wait_for_approval();
-- Another version has to be looked at anew.
CREATE TRIGGER operations_wait_update AFTER UPDATE OF version ON operations
  FOR EACH ROW WHEN (NEW.state = 'proposed' AND NEW.version <> OLD.version)
  EXECUTE FUNCTION operations_wait_for_approval();

-- Whether anything of a matter is still open.
CREATE INDEX review_items_open_by_reason ON review_items (tenant_id, reason) WHERE settled_at IS NULL;

-- ---------------------------------------------------------------- roles

GRANT SELECT ON notice_preferences, notice_endpoints, notices, notice_deliveries, approval_waits
  TO deadline_console, deadline_worker;
GRANT INSERT, UPDATE ON notice_preferences TO deadline_console;
GRANT INSERT, UPDATE ON notice_endpoints TO deadline_console;
GRANT UPDATE (state, stopped_why, stopped_at, last_outcome, last_status, last_at) ON notice_endpoints TO deadline_worker;
GRANT INSERT, UPDATE ON notices, notice_deliveries TO deadline_console, deadline_worker;
-- Locking a row to take it asks for the right to update.
GRANT UPDATE, DELETE ON approval_waits TO deadline_worker;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['notice_endpoints', 'notices', 'notice_deliveries', 'approval_waits'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_tenant ON %I USING (tenant_id = current_tenant())
      WITH CHECK (tenant_id = current_tenant())', t);
  END LOOP;
END $$;

-- The person's own, and for whoever tells the members of a tenant something those of its members.
ALTER TABLE notice_preferences ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_or_members ON notice_preferences
  USING (account_id = current_account() OR EXISTS (SELECT 1 FROM memberships m
    WHERE m.tenant_id = current_tenant() AND m.account_id = notice_preferences.account_id AND m.removed_at IS NULL))
  WITH CHECK (account_id = current_account());
