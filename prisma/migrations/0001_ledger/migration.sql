-- The ledger's one schema. Tenant id leads every primary and foreign key (OP-3), so that the schema shards by
-- tenant. What Prisma cannot say stands here: the transition table, the append-only history with its hash chain,
-- partial indexes, shape checks and row-level security.

-- Database time decides leases (CL-1). Tests may move it for one session with `deadline.clock_offset`.
CREATE FUNCTION ledger_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT statement_timestamp()
       + coalesce(nullif(current_setting('deadline.clock_offset', true), '')::interval, interval '0')
$$;

-- The tenant that the present transaction may see; null sees nothing (PV-2).
CREATE FUNCTION current_tenant() RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT nullif(current_setting('deadline.tenant_id', true), '')::uuid
$$;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'DL002';
END $$;

-- ---------------------------------------------------------------- people

CREATE TABLE tenants (
  id uuid PRIMARY KEY,
  slug text NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9][a-z0-9-]{1,40}$'),
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT ledger_now()
);

-- Operators, not signers. They belong to the installation; what they may do stands in memberships.
CREATE TABLE accounts (
  id uuid PRIMARY KEY,
  login text NOT NULL UNIQUE CHECK (login = lower(login)),
  password_hash text,
  zone text NOT NULL DEFAULT 'UTC',
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  disabled_at timestamptz
);

CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id),
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX sessions_by_account ON sessions (account_id);

CREATE TABLE memberships (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  account_id uuid NOT NULL REFERENCES accounts (id),
  role text NOT NULL CHECK (role IN ('account_manager', 'on_call', 'compliance', 'admin')),
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  removed_at timestamptz,
  PRIMARY KEY (tenant_id, account_id)
);
CREATE INDEX memberships_by_account ON memberships (account_id);

CREATE TABLE api_keys (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  id uuid NOT NULL,
  name text NOT NULL,
  key_hash text NOT NULL UNIQUE,
  scopes text[] NOT NULL,
  created_by uuid NOT NULL REFERENCES accounts (id),
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  revoked_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);

-- ---------------------------------------------------------------- what is signed, and where

CREATE TABLE connections (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  id uuid NOT NULL,
  name text NOT NULL CHECK (name ~ '^[a-z0-9][a-z0-9-]{0,40}$'),
  adapter text NOT NULL,
  base_url text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('sandbox', 'live')),
  -- Sealed with the installation's key; only the worker's role may read the credential (PL-1).
  api_key_sealed text NOT NULL,
  webhook_secrets_sealed text NOT NULL,
  descriptor text NOT NULL,
  call_timeout_ms integer NOT NULL DEFAULT 10000 CHECK (call_timeout_ms > 0),
  lease_ms integer NOT NULL DEFAULT 30000 CHECK (lease_ms > 0),
  owner text NOT NULL CHECK (owner <> ''),
  paused_at timestamptz,
  paused_reason text,
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT connections_name_key UNIQUE (tenant_id, name)
);

-- One contract through all its revisions (CL-4): the reference is ours and exists before the platform's.
-- The mirror is what a read or an authentic event said; it is never the basis of a mutation (PL-4).
CREATE TABLE requests (
  tenant_id uuid NOT NULL,
  ref text NOT NULL CHECK (ref ~ '^[A-Za-z0-9_-]{3,60}$'),
  connection_id uuid NOT NULL,
  platform_ref text,
  revision integer NOT NULL DEFAULT 1,
  owner_account_id uuid REFERENCES accounts (id),
  zone text NOT NULL DEFAULT 'UTC',
  business_deadline text,
  business_deadline_at timestamptz,
  mirror_status text,
  mirror_raw_status text,
  mirror_expires_at timestamptz,
  mirror_version text,
  mirror_last_reminder_at timestamptz,
  mirror_signed integer,
  mirror_signers integer,
  mirror_read_at timestamptz,
  mirror_receipt_id uuid,
  mirror_terminal boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (tenant_id, ref),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id)
);
CREATE UNIQUE INDEX requests_platform_ref_key ON requests (tenant_id, connection_id, platform_ref)
  WHERE platform_ref IS NOT NULL;
CREATE INDEX requests_open_by_deadline ON requests (tenant_id, business_deadline_at, ref)
  WHERE NOT mirror_terminal;

CREATE TABLE request_signers (
  tenant_id uuid NOT NULL,
  request_ref text NOT NULL,
  subject_ref text NOT NULL,
  role text NOT NULL,
  signing_order integer NOT NULL,
  contact_digest text NOT NULL,
  PRIMARY KEY (tenant_id, request_ref, subject_ref),
  FOREIGN KEY (tenant_id, request_ref) REFERENCES requests (tenant_id, ref)
);

-- ---------------------------------------------------------------- the contact vault (PV-3)

CREATE TABLE vault_subjects (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  subject_ref text NOT NULL CHECK (subject_ref ~ '^[st]_[a-z0-9]{8,40}$'),
  -- Two keys of its own, sealed by the installation's key: rotation keeps digests, erasure destroys both (ID-5).
  cipher_key_sealed text,
  digest_key_sealed text,
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  erased_at timestamptz,
  PRIMARY KEY (tenant_id, subject_ref),
  CONSTRAINT vault_erased_has_no_key
    CHECK ((erased_at IS NULL) = (cipher_key_sealed IS NOT NULL AND digest_key_sealed IS NOT NULL))
);

CREATE TABLE vault_entries (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  subject_ref text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('contact', 'text', 'raw')),
  ciphertext text NOT NULL,
  digest text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, subject_ref) REFERENCES vault_subjects (tenant_id, subject_ref)
);
CREATE INDEX vault_entries_by_subject ON vault_entries (tenant_id, subject_ref, kind, created_at DESC);

CREATE TABLE vault_reads (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  subject_ref text NOT NULL,
  actor text NOT NULL,
  purpose text NOT NULL,
  at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, subject_ref) REFERENCES vault_subjects (tenant_id, subject_ref)
);
CREATE TRIGGER vault_reads_append_only BEFORE UPDATE OR DELETE ON vault_reads
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- ---------------------------------------------------------------- operations

CREATE TABLE policies (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  kind text NOT NULL,
  version integer NOT NULL,
  body text NOT NULL,
  created_by uuid REFERENCES accounts (id),
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (tenant_id, kind, version)
);

CREATE TABLE operation_transitions (
  from_state text NOT NULL,
  to_state text NOT NULL,
  PRIMARY KEY (from_state, to_state)
);

-- SM-1, the same table as TRANSITIONS in lib/domain/operation.ts; a test compares the two.
INSERT INTO operation_transitions (from_state, to_state) VALUES
  ('proposed', 'scheduled'), ('proposed', 'obsolete'), ('proposed', 'superseded'),
  ('scheduled', 'claimed'), ('scheduled', 'obsolete'), ('scheduled', 'superseded'), ('scheduled', 'needs_review'),
  ('claimed', 'submitting'), ('claimed', 'scheduled'), ('claimed', 'obsolete'), ('claimed', 'quarantined'),
  ('claimed', 'needs_review'), ('claimed', 'needs_reconcile'),
  ('submitting', 'done'), ('submitting', 'obsolete'), ('submitting', 'needs_reconcile'),
  ('submitting', 'needs_review'), ('submitting', 'failed_terminal'), ('submitting', 'scheduled'),
  ('needs_reconcile', 'reconciling'),
  ('reconciling', 'done'), ('reconciling', 'obsolete'), ('reconciling', 'superseded'), ('reconciling', 'scheduled'),
  ('reconciling', 'needs_reconcile'), ('reconciling', 'quarantined'), ('reconciling', 'needs_review'),
  ('reconciling', 'failed_terminal'),
  ('quarantined', 'done'), ('quarantined', 'obsolete'), ('quarantined', 'superseded'),
  ('quarantined', 'failed_terminal'),
  ('needs_review', 'done'), ('needs_review', 'obsolete'), ('needs_review', 'superseded'),
  ('needs_review', 'failed_terminal'), ('needs_review', 'scheduled');

CREATE TABLE operations (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  op_id uuid NOT NULL,
  op_key text NOT NULL CHECK (length(op_key) BETWEEN 1 AND 200 AND strpos(op_key, '@') = 0),
  kind text NOT NULL
    CHECK (kind IN ('send', 'resend', 'remind', 'extend', 'expire', 'void', 'sign', 'finalize')),
  request_ref text NOT NULL,
  connection_id uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('proposed', 'scheduled', 'claimed', 'submitting', 'needs_reconcile',
    'reconciling', 'quarantined', 'needs_review', 'done', 'obsolete', 'superseded', 'failed_terminal')),
  reason text NOT NULL,

  -- What was approved. The text is the truth and the hash is always taken over it (ID-3).
  version integer NOT NULL DEFAULT 1 CHECK (version > 0),
  canonical_text text NOT NULL,
  -- Checked at every change of the row, so without a pattern: patterns cost five times as much here.
  payload_hash text NOT NULL
    CHECK (length(payload_hash) = 64 AND translate(payload_hash, '0123456789abcdef', '') = ''),
  approval_id uuid NOT NULL,
  policy_version integer NOT NULL DEFAULT 1,
  proposed_by text NOT NULL,
  edited_by text,
  approval_expires_at timestamptz,
  approved_at timestamptz,

  due_at timestamptz NOT NULL,
  priority smallint NOT NULL,

  -- Who holds it, until when, and the number that every later write must name (CL-1, CL-3).
  lease_owner uuid,
  lease_until timestamptz,
  fence integer NOT NULL DEFAULT 0,

  attempts integer NOT NULL DEFAULT 0,
  lapses integer NOT NULL DEFAULT 0,
  declines integer NOT NULL DEFAULT 0,
  looks integer NOT NULL DEFAULT 0,
  first_intent_at timestamptz,
  unknown_since timestamptz,
  next_look_at timestamptz,
  last_look_at timestamptz,
  late_fence integer,

  platform_ref text,
  supersedes_op_id uuid,
  successor_op_id uuid,
  owner text,

  chain_length integer NOT NULL DEFAULT 0,
  chain_head text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  changed_at timestamptz NOT NULL DEFAULT ledger_now(),

  -- Parameters of the history entry that a statement writes (SM-3). The trigger takes them and leaves null behind.
  event_kind text,
  event_actor text,
  event_evidence text,

  PRIMARY KEY (tenant_id, op_id),
  CONSTRAINT operations_op_key_key UNIQUE (tenant_id, op_key),
  FOREIGN KEY (tenant_id, request_ref) REFERENCES requests (tenant_id, ref),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id),
  FOREIGN KEY (tenant_id, supersedes_op_id) REFERENCES operations (tenant_id, op_id),
  FOREIGN KEY (tenant_id, successor_op_id) REFERENCES operations (tenant_id, op_id),
  CONSTRAINT operations_lease_is_whole CHECK ((lease_owner IS NULL) = (lease_until IS NULL)),
  CONSTRAINT operations_lease_only_while_held
    CHECK ((state IN ('claimed', 'submitting', 'reconciling')) = (lease_owner IS NOT NULL)),
  CONSTRAINT operations_person_has_a_name
    CHECK (state NOT IN ('quarantined', 'needs_review') OR coalesce(owner, '') <> ''),
  CONSTRAINT operations_unknown_has_a_next_look
    CHECK (state <> 'needs_reconcile' OR next_look_at IS NOT NULL),
  CONSTRAINT operations_call_was_counted
    CHECK (state <> 'submitting' OR (attempts > 0 AND first_intent_at IS NOT NULL)),
  CONSTRAINT operations_approved_before_work
    CHECK (state IN ('proposed', 'obsolete', 'superseded') OR approved_at IS NOT NULL)
);

-- CL-4: at most one operation of a request is in flight or unknown.
CREATE UNIQUE INDEX operations_one_in_flight ON operations (tenant_id, request_ref)
  WHERE state IN ('claimed', 'submitting', 'needs_reconcile', 'reconciling');
-- CL-4: what a person has to decide holds later operations of the request.
CREATE INDEX operations_held_by_a_person ON operations (tenant_id, request_ref)
  WHERE state IN ('quarantined', 'needs_review');
-- C-10: the claim's index leaves finished rows out, so that its cost does not grow with history.
CREATE INDEX operations_due ON operations (tenant_id, priority, due_at, op_id) WHERE state = 'scheduled';
CREATE INDEX operations_next_look ON operations (next_look_at, op_id) WHERE state = 'needs_reconcile';
CREATE INDEX operations_last_look ON operations (last_look_at, op_id) WHERE last_look_at IS NOT NULL;
CREATE INDEX operations_lease_end ON operations (lease_until, op_id) WHERE lease_owner IS NOT NULL;
CREATE INDEX operations_pending_approval ON operations (approval_expires_at, op_id) WHERE state = 'proposed';
CREATE INDEX operations_by_request ON operations (tenant_id, request_ref, created_at DESC);
CREATE INDEX operations_by_change ON operations (tenant_id, changed_at DESC, op_id DESC);
CREATE INDEX operations_by_state ON operations (tenant_id, state, changed_at DESC, op_id DESC);

-- What was on screen at each version (AP-1, C-30).
CREATE TABLE operation_versions (
  tenant_id uuid NOT NULL,
  op_id uuid NOT NULL,
  version integer NOT NULL,
  canonical_text text NOT NULL,
  payload_hash text NOT NULL,
  author text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, op_id, version)
);
CREATE TRIGGER operation_versions_append_only BEFORE UPDATE OR DELETE ON operation_versions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- The history (SM-3, SM-4). `body` is the entry; the other columns repeat it for queries, and verification
-- compares them. `hash` is SHA-256 over the previous hash and the body, both as text.
CREATE TABLE operation_events (
  tenant_id uuid NOT NULL,
  op_id uuid NOT NULL,
  seq integer NOT NULL,
  kind text NOT NULL,
  from_state text,
  to_state text NOT NULL,
  reason text NOT NULL,
  actor text NOT NULL,
  at timestamptz NOT NULL,
  body text NOT NULL,
  hash text NOT NULL,
  PRIMARY KEY (tenant_id, op_id, seq)
);
CREATE TRIGGER operation_events_append_only BEFORE UPDATE OR DELETE ON operation_events
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER operation_events_no_truncate BEFORE TRUNCATE ON operation_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Appends one entry and moves the chain's head. Only the triggers below, which run as the schema's owner, may call
-- it: no role writes history by itself.
CREATE FUNCTION append_history(op operations, from_state text) RETURNS operations LANGUAGE plpgsql AS $$
DECLARE
  entry_at timestamptz := ledger_now();
  entry text;
  head text;
BEGIN
  entry := json_build_object(
    'tenant', op.tenant_id, 'op', op.op_id, 'seq', op.chain_length + 1,
    'kind', coalesce(op.event_kind, 'transition'), 'from', from_state, 'to', op.state,
    'reason', op.reason, 'actor', op.event_actor, 'fence', op.fence, 'version', op.version,
    'payload_hash', op.payload_hash, 'evidence', op.event_evidence::json,
    'at', to_char(entry_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text;
  head := encode(sha256(convert_to(op.chain_head || entry, 'UTF8')), 'hex');
  INSERT INTO operation_events (tenant_id, op_id, seq, kind, from_state, to_state, reason, actor, at, body, hash)
  VALUES (op.tenant_id, op.op_id, op.chain_length + 1, coalesce(op.event_kind, 'transition'), from_state, op.state,
    op.reason, op.event_actor, entry_at, entry, head);
  op.chain_length := op.chain_length + 1;
  op.chain_head := head;
  op.changed_at := entry_at;
  op.event_kind := NULL;
  op.event_actor := NULL;
  op.event_evidence := NULL;
  RETURN op;
END $$;

CREATE FUNCTION keep_version(op operations) RETURNS void LANGUAGE sql AS $$
  INSERT INTO operation_versions (tenant_id, op_id, version, canonical_text, payload_hash, author, at)
  VALUES (op.tenant_id, op.op_id, op.version, op.canonical_text, op.payload_hash,
    coalesce(op.edited_by, op.proposed_by), ledger_now())
$$;
REVOKE EXECUTE ON FUNCTION append_history, keep_version FROM PUBLIC;

CREATE FUNCTION operations_on_insert() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  IF NEW.state NOT IN ('proposed', 'scheduled') THEN
    RAISE EXCEPTION 'an operation begins as proposed or scheduled, not as %', NEW.state USING ERRCODE = 'DL001';
  END IF;
  IF NEW.event_actor IS NULL THEN
    RAISE EXCEPTION 'an operation needs the actor that made it' USING ERRCODE = 'DL003';
  END IF;
  NEW.chain_length := 0;
  NEW.chain_head := '';
  PERFORM keep_version(NEW);
  RETURN append_history(NEW, NULL);
END $$;
CREATE TRIGGER operations_insert BEFORE INSERT ON operations
  FOR EACH ROW EXECUTE FUNCTION operations_on_insert();

-- SM-1: refuses every move outside the table, from any client. SM-3: no move without its entry and actor.
CREATE FUNCTION operations_on_update() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  IF (NEW.tenant_id, NEW.op_id, NEW.op_key, NEW.kind, NEW.request_ref, NEW.connection_id, NEW.approval_id,
      NEW.created_at) IS DISTINCT FROM (OLD.tenant_id, OLD.op_id, OLD.op_key, OLD.kind, OLD.request_ref,
      OLD.connection_id, OLD.approval_id, OLD.created_at) THEN
    RAISE EXCEPTION 'the identity of an operation never changes' USING ERRCODE = 'DL004';
  END IF;
  IF NEW.canonical_text <> OLD.canonical_text OR NEW.payload_hash <> OLD.payload_hash
     OR NEW.version <> OLD.version THEN
    IF OLD.state <> 'proposed' OR NEW.state <> 'proposed' OR NEW.version <> OLD.version + 1 THEN
      RAISE EXCEPTION 'the approved payload of an operation never changes' USING ERRCODE = 'DL004';
    END IF;
    PERFORM keep_version(NEW);
  END IF;
  IF NEW.chain_length <> OLD.chain_length OR NEW.chain_head <> OLD.chain_head THEN
    RAISE EXCEPTION 'only the history moves the chain' USING ERRCODE = 'DL004';
  END IF;
  IF NEW.fence < OLD.fence THEN
    RAISE EXCEPTION 'a fence never goes back' USING ERRCODE = 'DL004';
  END IF;
  IF NEW.state = OLD.state AND NEW.event_kind IS NULL THEN
    RETURN NEW;
  END IF;
  IF NEW.event_actor IS NULL THEN
    RAISE EXCEPTION 'a change of an operation needs its actor' USING ERRCODE = 'DL003';
  END IF;
  IF NEW.state <> OLD.state AND NOT EXISTS (
    SELECT 1 FROM operation_transitions t WHERE t.from_state = OLD.state AND t.to_state = NEW.state
  ) THEN
    RAISE EXCEPTION 'an operation cannot go from % to %', OLD.state, NEW.state USING ERRCODE = 'DL001';
  END IF;
  RETURN append_history(NEW, OLD.state);
END $$;
CREATE TRIGGER operations_update BEFORE UPDATE ON operations
  FOR EACH ROW EXECUTE FUNCTION operations_on_update();
CREATE TRIGGER operations_no_delete BEFORE DELETE ON operations
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Wakes the workers when there is something to do now; they also look by interval.
CREATE FUNCTION operations_wake() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('deadline_work', '');
  RETURN NULL;
END $$;
CREATE TRIGGER operations_wake_insert AFTER INSERT ON operations
  FOR EACH ROW WHEN (NEW.state = 'scheduled') EXECUTE FUNCTION operations_wake();
CREATE TRIGGER operations_wake_update AFTER UPDATE ON operations
  FOR EACH ROW WHEN (NEW.state IN ('scheduled', 'needs_reconcile') AND NEW.state <> OLD.state)
  EXECUTE FUNCTION operations_wake();

-- One row per call that may have left a worker (RC-8). Quiet time is counted from here.
CREATE TABLE attempts (
  tenant_id uuid NOT NULL,
  op_id uuid NOT NULL,
  fence integer NOT NULL,
  worker_id uuid NOT NULL,
  intent_at timestamptz NOT NULL,
  lease_until timestamptz NOT NULL,
  reported_at timestamptz,
  -- no_call: the worker says for certain that nothing left it.
  outcome text,
  late boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, op_id, fence),
  FOREIGN KEY (tenant_id, op_id) REFERENCES operations (tenant_id, op_id),
  CONSTRAINT attempts_report_is_whole CHECK ((reported_at IS NULL) = (outcome IS NULL))
);

-- What we knew when we acted (PL-4). `body` is canonical text and `hash` is taken over it.
CREATE TABLE read_receipts (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  request_ref text NOT NULL,
  op_id uuid,
  fence integer,
  purpose text NOT NULL CHECK (purpose IN ('before', 'after', 'look', 'last_look', 'page', 'event', 'decision')),
  outcome text NOT NULL CHECK (outcome IN ('read', 'not_found', 'declined', 'unreadable')),
  started_at timestamptz NOT NULL,
  finished_at timestamptz NOT NULL,
  platform_ref text,
  status text,
  expires_at timestamptz,
  version text,
  last_reminder_at timestamptz,
  matches integer NOT NULL,
  body text NOT NULL,
  hash text NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, request_ref) REFERENCES requests (tenant_id, ref)
);
CREATE INDEX read_receipts_by_operation ON read_receipts (tenant_id, op_id, started_at) WHERE op_id IS NOT NULL;
CREATE INDEX read_receipts_by_request ON read_receipts (tenant_id, request_ref, started_at DESC);
CREATE TRIGGER read_receipts_append_only BEFORE UPDATE OR DELETE ON read_receipts
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE approvals (
  tenant_id uuid NOT NULL,
  op_id uuid NOT NULL,
  account_id uuid NOT NULL REFERENCES accounts (id),
  decision text NOT NULL CHECK (decision IN ('approve', 'reject')),
  version integer NOT NULL,
  payload_hash text NOT NULL,
  receipt_id uuid,
  at timestamptz NOT NULL DEFAULT ledger_now(),
  revoked_at timestamptz,
  PRIMARY KEY (tenant_id, op_id, account_id),
  FOREIGN KEY (tenant_id, op_id) REFERENCES operations (tenant_id, op_id)
);

-- What a person has to look at (RV-1). The owner is never empty.
CREATE TABLE review_items (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  op_id uuid,
  request_ref text,
  inbox_id uuid,
  reason text NOT NULL,
  owner text NOT NULL CHECK (owner <> ''),
  evidence text NOT NULL,
  opened_at timestamptz NOT NULL DEFAULT ledger_now(),
  settled_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, op_id) REFERENCES operations (tenant_id, op_id)
);
CREATE INDEX review_items_open ON review_items (tenant_id, opened_at, id) WHERE settled_at IS NULL;
CREATE UNIQUE INDEX review_items_one_open_per_reason ON review_items (tenant_id, op_id, reason)
  WHERE settled_at IS NULL AND op_id IS NOT NULL;

-- Every quarantined or needs-review operation is a review item from the same statement on.
CREATE FUNCTION operations_open_review() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  IF NEW.state IN ('quarantined', 'needs_review') THEN
    INSERT INTO review_items (tenant_id, id, op_id, request_ref, reason, owner, evidence)
    VALUES (NEW.tenant_id, gen_random_uuid(), NEW.op_id, NEW.request_ref, NEW.reason, NEW.owner, '{}')
    ON CONFLICT DO NOTHING;
  ELSE
    UPDATE review_items SET settled_at = ledger_now()
    WHERE tenant_id = NEW.tenant_id AND op_id = NEW.op_id AND settled_at IS NULL AND reason = OLD.reason;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER operations_review AFTER UPDATE ON operations
  FOR EACH ROW WHEN (NEW.state <> OLD.state AND
    (NEW.state IN ('quarantined', 'needs_review') OR OLD.state IN ('quarantined', 'needs_review')))
  EXECUTE FUNCTION operations_open_review();

-- Switches that stop new starts (BL-6). Scope `all` stands under the installation's own tenant row.
CREATE TABLE pauses (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  id uuid NOT NULL,
  scope text NOT NULL CHECK (scope IN ('all', 'tenant', 'connection', 'kind')),
  connection_id uuid,
  kind text,
  reason_entry uuid,
  paused_by text NOT NULL,
  paused_at timestamptz NOT NULL DEFAULT ledger_now(),
  resumed_by text,
  resumed_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT pauses_scope_is_whole
    CHECK ((scope = 'connection') = (connection_id IS NOT NULL) AND (scope = 'kind') = (kind IS NOT NULL))
);
CREATE INDEX pauses_active ON pauses (tenant_id) WHERE resumed_at IS NULL;

INSERT INTO tenants (id, slug, name)
VALUES ('00000000-0000-0000-0000-000000000000', 'installation', 'Installation');

-- What is held within a tenant (BL-6): `all`, `tenant`, kinds, and ids of connections. A statement asks once per
-- tenant and compares with each row, which is much cheaper than to ask once per row.
CREATE FUNCTION held_scopes(tenant uuid) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY(
    SELECT coalesce(p.kind, p.connection_id::text, p.scope) FROM pauses p
    WHERE p.resumed_at IS NULL AND (p.tenant_id = tenant AND p.scope <> 'all'
      OR p.tenant_id = '00000000-0000-0000-0000-000000000000' AND p.scope = 'all')
    UNION ALL
    SELECT c.id::text FROM connections c WHERE c.tenant_id = tenant AND c.paused_at IS NOT NULL)
$$;

-- True while one of the held scopes covers new starts of this kind at this connection.
CREATE FUNCTION is_held(held text[], connection uuid, operation_kind text) RETURNS boolean
  LANGUAGE sql IMMUTABLE AS $$
  SELECT held && ARRAY['all', 'tenant', connection::text, operation_kind]
$$;

-- True while a switch holds new starts of this kind, connection, tenant or everything.
CREATE FUNCTION is_paused(tenant uuid, connection uuid, operation_kind text) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT is_held(held_scopes(tenant), connection, operation_kind)
$$;

-- ---------------------------------------------------------------- processes

-- `session_key` is held as an advisory lock by the worker's own database session: while that session lives, the
-- lock is seen, and absence is not concluded for its unreported attempts (RC-9).
CREATE TABLE workers (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  session_key bigint NOT NULL UNIQUE,
  build text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT ledger_now(),
  heartbeat_at timestamptz NOT NULL DEFAULT ledger_now(),
  draining_at timestamptz,
  stopped_at timestamptz,
  in_hand integer NOT NULL DEFAULT 0
);

-- The console asks, the worker reads: only the worker holds credentials (PL-1).
CREATE TABLE read_orders (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  request_ref text NOT NULL,
  ordered_by text NOT NULL,
  ordered_at timestamptz NOT NULL DEFAULT ledger_now(),
  taken_at timestamptz,
  receipt_id uuid,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, request_ref) REFERENCES requests (tenant_id, ref)
);
CREATE INDEX read_orders_waiting ON read_orders (ordered_at) WHERE taken_at IS NULL;
CREATE FUNCTION read_orders_wake() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('deadline_reads', '');
  RETURN NULL;
END $$;
CREATE TRIGGER read_orders_wake AFTER INSERT ON read_orders
  FOR EACH ROW EXECUTE FUNCTION read_orders_wake();

-- ---------------------------------------------------------------- edges

CREATE TABLE inbox_events (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  connection_id uuid NOT NULL,
  -- The platform's event id, or the weaker hash of IN-3.
  identity text NOT NULL,
  has_event_id boolean NOT NULL,
  type text NOT NULL,
  platform_ref text,
  client_reference text,
  claimed_status text,
  occurred_at timestamptz,
  received_at timestamptz NOT NULL DEFAULT ledger_now(),
  outcome text NOT NULL
    CHECK (outcome IN ('received', 'applied', 'no_change', 'unmatched', 'quarantined', 'dead')),
  copies integer NOT NULL DEFAULT 1,
  key_id text NOT NULL,
  body_sealed text NOT NULL,
  applied_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT inbox_events_identity_key UNIQUE (tenant_id, connection_id, identity),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id)
);
CREATE INDEX inbox_events_by_request ON inbox_events (tenant_id, connection_id, platform_ref);
CREATE INDEX inbox_events_by_reference ON inbox_events (tenant_id, connection_id, client_reference)
  WHERE client_reference IS NOT NULL;
CREATE INDEX inbox_events_unmatched ON inbox_events (tenant_id, connection_id, received_at)
  WHERE outcome = 'unmatched';

-- Names an HTTP request, not an operation (API-1). Key and body are kept as digests only.
CREATE TABLE http_idempotency (
  tenant_id uuid NOT NULL,
  credential text NOT NULL,
  key_digest text NOT NULL,
  request_digest text NOT NULL,
  status integer,
  answer text,
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (tenant_id, credential, key_digest),
  FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

CREATE TABLE sign_in_limits (
  key text PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);

-- ---------------------------------------------------------------- roles (PV-2)

-- Two roles that see one tenant at a time. They belong to the cluster, so several databases may meet here.
DO $$
DECLARE role_name text;
BEGIN
  FOREACH role_name IN ARRAY ARRAY['deadline_console', 'deadline_worker'] LOOP
    BEGIN
      EXECUTE format('CREATE ROLE %I NOLOGIN', role_name);
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL; -- Another database of this cluster made it: the wanted end.
    END;
    EXECUTE format('GRANT %I TO %I', role_name, current_user);
  END LOOP;
END $$;

GRANT USAGE ON SCHEMA public TO deadline_console, deadline_worker;
GRANT SELECT ON tenants, accounts, sessions, memberships, api_keys, requests, request_signers, vault_subjects,
  vault_entries, vault_reads, policies, operation_transitions, operations, operation_versions, operation_events,
  attempts, read_receipts, approvals, review_items, pauses, workers, read_orders, inbox_events, http_idempotency
  TO deadline_console, deadline_worker;
GRANT SELECT (tenant_id, id, name, adapter, base_url, environment, webhook_secrets_sealed, descriptor,
  call_timeout_ms, lease_ms, owner, paused_at, paused_reason, created_at) ON connections TO deadline_console;
GRANT SELECT ON connections TO deadline_worker;

GRANT INSERT, UPDATE ON sessions, requests, request_signers, vault_subjects, vault_entries, operations, approvals,
  review_items, pauses, read_orders, inbox_events, http_idempotency TO deadline_console;
GRANT INSERT ON vault_reads TO deadline_console, deadline_worker;
GRANT UPDATE (zone) ON accounts TO deadline_console;
GRANT SELECT, INSERT, UPDATE, DELETE ON sign_in_limits TO deadline_console;
GRANT INSERT, UPDATE ON requests, operations, attempts, review_items, inbox_events TO deadline_worker;
GRANT INSERT ON read_receipts TO deadline_worker;
GRANT INSERT, UPDATE ON read_orders TO deadline_worker;
GRANT UPDATE ON connections TO deadline_worker;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['connections', 'requests', 'request_signers', 'vault_subjects', 'vault_entries',
    'vault_reads', 'policies', 'operations', 'operation_versions', 'operation_events', 'attempts', 'read_receipts',
    'approvals', 'review_items', 'read_orders', 'inbox_events', 'http_idempotency', 'api_keys'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_tenant ON %I USING (tenant_id = current_tenant())
      WITH CHECK (tenant_id = current_tenant())', t);
  END LOOP;
END $$;

-- Everybody sees a switch that holds everybody; nobody but the installation's operators may write it.
ALTER TABLE pauses ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_tenant_or_all ON pauses
  USING (tenant_id = current_tenant() OR tenant_id = '00000000-0000-0000-0000-000000000000')
  WITH CHECK (tenant_id = current_tenant());

-- The two doors at which the tenant is not known yet: a platform's endpoint and an API key.
CREATE FUNCTION tenant_of_connection(connection uuid) RETURNS uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT tenant_id FROM connections WHERE id = connection
$$;
CREATE FUNCTION tenant_of_api_key(digest text) RETURNS uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT tenant_id FROM api_keys WHERE key_hash = digest AND revoked_at IS NULL
$$;

-- A person may see the list of their own memberships and the names of those tenants, to choose one.
CREATE FUNCTION current_account() RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT nullif(current_setting('deadline.account_id', true), '')::uuid
$$;
ALTER TABLE memberships ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_tenant_or_own ON memberships
  USING (tenant_id = current_tenant() OR account_id = current_account());
ALTER TABLE tenants ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_tenant_or_own ON tenants USING (id = current_tenant() OR EXISTS (
  SELECT 1 FROM memberships m WHERE m.tenant_id = tenants.id AND m.account_id = current_account()));
