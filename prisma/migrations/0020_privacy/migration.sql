-- What is kept for how long and by whose word, what is held back from that, and what was erased (PV-3, PV-5, ID-8).

-- ---------------------------------------------------------------- the schedule and its holds

-- The newest version of a class holds; before the first one the default in lib/domain/retention.ts does.
CREATE TABLE retention_rules (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  record_class text NOT NULL
    CHECK (record_class IN ('ledger', 'inbox', 'quarantine', 'vault', 'archive', 'notices')),
  version integer NOT NULL CHECK (version > 0),
  days integer NOT NULL CHECK (days BETWEEN 1 AND 36500),
  owner text NOT NULL CHECK (owner LIKE 'team:%' OR owner LIKE 'account:%'),
  changed_by uuid NOT NULL REFERENCES accounts (id),
  changed_at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (tenant_id, record_class, version)
);
CREATE TRIGGER retention_rules_append_only BEFORE UPDATE OR DELETE ON retention_rules
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- A hold keeps what belongs to one request, or to one person, from the retention job and from erasure.
CREATE TABLE retention_holds (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  id uuid NOT NULL,
  scope text NOT NULL CHECK (scope IN ('request', 'subject')),
  about text NOT NULL,
  -- Typed reasons stand in the vault (SM-3).
  reason_ref uuid NOT NULL,
  reason_digest text NOT NULL,
  set_by uuid NOT NULL REFERENCES accounts (id),
  set_at timestamptz NOT NULL DEFAULT ledger_now(),
  lift_ref uuid,
  lift_digest text,
  lifted_by uuid REFERENCES accounts (id),
  lifted_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT retention_holds_lift_is_whole CHECK ((lifted_at IS NULL) = (lifted_by IS NULL)
    AND (lifted_at IS NULL) = (lift_ref IS NULL) AND (lifted_at IS NULL) = (lift_digest IS NULL))
);
CREATE UNIQUE INDEX retention_holds_one_open ON retention_holds (tenant_id, scope, about) WHERE lifted_at IS NULL;
CREATE INDEX retention_holds_newest ON retention_holds (tenant_id, set_at DESC, id DESC);

-- The requests of a tenant that a hold covers, by themselves or by one of their signers.
CREATE FUNCTION held_requests(tenant uuid) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY(
    SELECT h.about FROM retention_holds h WHERE h.tenant_id = tenant AND h.scope = 'request' AND h.lifted_at IS NULL
    UNION
    SELECT s.request_ref FROM retention_holds h
      JOIN request_signers s ON s.tenant_id = h.tenant_id AND s.subject_ref = h.about
      WHERE h.tenant_id = tenant AND h.scope = 'subject' AND h.lifted_at IS NULL)
$$;
CREATE INDEX request_signers_by_subject ON request_signers (tenant_id, subject_ref);

-- When the retention job comes to a tenant next.
CREATE TABLE retention_turns (
  tenant_id uuid PRIMARY KEY REFERENCES tenants (id),
  next_run_at timestamptz NOT NULL,
  last_run_at timestamptz
);
CREATE INDEX retention_turns_due ON retention_turns (next_run_at);

-- ---------------------------------------------------------------- erasure

CREATE TABLE erasures (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  id uuid NOT NULL,
  subject_ref text NOT NULL,
  asked_by uuid NOT NULL REFERENCES accounts (id),
  asked_at timestamptz NOT NULL DEFAULT ledger_now(),
  reason_ref uuid NOT NULL,
  reason_digest text NOT NULL,
  state text NOT NULL DEFAULT 'asked' CHECK (state IN ('asked', 'confirmed', 'refused')),
  decided_by uuid REFERENCES accounts (id),
  decided_at timestamptz,
  refusal_ref uuid,
  refusal_digest text,
  -- JSON of counts: what was destroyed.
  destroyed text,
  -- The check of the history that followed.
  check_id uuid,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, subject_ref) REFERENCES vault_subjects (tenant_id, subject_ref),
  CONSTRAINT erasures_decision_is_whole
    CHECK ((state = 'asked') = (decided_at IS NULL) AND (state = 'asked') = (decided_by IS NULL)),
  CONSTRAINT erasures_refusal_is_whole
    CHECK ((state = 'refused') = (refusal_ref IS NOT NULL) AND (state = 'refused') = (refusal_digest IS NOT NULL)),
  CONSTRAINT erasures_say_what_went CHECK ((state = 'confirmed') = (destroyed IS NOT NULL)),
  -- Nobody destroys alone, whatever a program says.
  CONSTRAINT erasures_by_two_people CHECK (state <> 'confirmed' OR decided_by <> asked_by)
);
CREATE UNIQUE INDEX erasures_one_open ON erasures (tenant_id, subject_ref) WHERE state = 'asked';
CREATE INDEX erasures_newest ON erasures (tenant_id, asked_at DESC, id DESC);

CREATE FUNCTION erasures_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state <> 'asked' OR (NEW.tenant_id, NEW.id, NEW.subject_ref, NEW.asked_by, NEW.asked_at, NEW.reason_ref,
      NEW.reason_digest) IS DISTINCT FROM (OLD.tenant_id, OLD.id, OLD.subject_ref, OLD.asked_by, OLD.asked_at,
      OLD.reason_ref, OLD.reason_digest) THEN
    RAISE EXCEPTION 'an erasure is asked for once and decided once' USING ERRCODE = 'DL002';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER erasures_guard BEFORE UPDATE ON erasures FOR EACH ROW EXECUTE FUNCTION erasures_guard();
CREATE TRIGGER erasures_no_delete BEFORE DELETE ON erasures FOR EACH ROW EXECUTE FUNCTION refuse_change();

ALTER TABLE requests
  -- When data of one of its signers were erased: raw bodies about it are not kept from then on.
  ADD COLUMN contact_erased_at timestamptz,
  -- When the retention job took its people and texts out of the vault, and its payloads out of the ledger.
  ADD COLUMN vault_cleared_at timestamptz,
  ADD COLUMN ledger_cleared_at timestamptz;
CREATE INDEX requests_in_vault ON requests (tenant_id, created_at, ref) WHERE vault_cleared_at IS NULL;
CREATE INDEX requests_in_ledger ON requests (tenant_id, created_at, ref) WHERE ledger_cleared_at IS NULL;

-- An event about a request one of whose signers was erased is recorded and applied; its raw body is not kept.
CREATE FUNCTION inbox_events_forget_body() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM requests r WHERE r.tenant_id = NEW.tenant_id AND r.connection_id = NEW.connection_id
      AND r.platform_ref = NEW.platform_ref AND r.contact_erased_at IS NOT NULL) THEN
    NEW.body_sealed := '';
    NEW.purged_at := ledger_now();
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER inbox_events_forget_body BEFORE INSERT OR UPDATE OF platform_ref, request_ref ON inbox_events
  FOR EACH ROW WHEN (NEW.platform_ref IS NOT NULL AND NEW.body_sealed <> '')
  EXECUTE FUNCTION inbox_events_forget_body();

-- An open operation of an erased person that no person could be given by its state has an item beside it. It settles
-- when the operation ends by itself.
CREATE FUNCTION operations_settle_erased() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  UPDATE review_items SET settled_at = ledger_now()
  WHERE tenant_id = NEW.tenant_id AND op_id = NEW.op_id AND settled_at IS NULL AND reason = 'contact_erased';
  RETURN NULL;
END $$;
CREATE TRIGGER operations_settle_erased AFTER UPDATE ON operations
  FOR EACH ROW WHEN (NEW.state <> OLD.state AND NEW.state IN ('done', 'obsolete', 'superseded', 'failed_terminal'))
  EXECUTE FUNCTION operations_settle_erased();

-- ---------------------------------------------------------------- tombstones (ID-8)

-- Key and hash of an operation whose data are gone: the key stays closed.
CREATE TABLE operation_tombstones (
  tenant_id uuid NOT NULL,
  op_key text NOT NULL,
  op_id uuid NOT NULL,
  payload_hash text NOT NULL,
  why text NOT NULL CHECK (why IN ('erasure', 'retention')),
  at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (tenant_id, op_key, why),
  FOREIGN KEY (tenant_id, op_id) REFERENCES operations (tenant_id, op_id)
);
CREATE INDEX operation_tombstones_by_operation ON operation_tombstones (tenant_id, op_id);
CREATE TRIGGER operation_tombstones_append_only BEFORE UPDATE OR DELETE ON operation_tombstones
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER operation_tombstones_no_truncate BEFORE TRUNCATE ON operation_tombstones
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The one way in which a stored payload may go (SM-3, PV-5): by retention, of an operation that ended a year ago at
-- least, and to nothing. Its hash stays and every entry goes on naming it. Verification asks the same question.
CREATE FUNCTION payload_may_go(tenant uuid, op uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM operation_tombstones t JOIN operations o ON o.tenant_id = t.tenant_id AND o.op_id = t.op_id
    WHERE t.tenant_id = tenant AND t.op_id = op AND t.why = 'retention' AND t.payload_hash = o.payload_hash
      AND o.state IN ('done', 'obsolete', 'superseded', 'failed_terminal')
      AND t.at >= o.changed_at + interval '365 days')
$$;

CREATE OR REPLACE FUNCTION operations_on_update() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  IF (NEW.tenant_id, NEW.op_id, NEW.op_key, NEW.kind, NEW.request_ref, NEW.connection_id, NEW.approval_id,
      NEW.created_at) IS DISTINCT FROM (OLD.tenant_id, OLD.op_id, OLD.op_key, OLD.kind, OLD.request_ref,
      OLD.connection_id, OLD.approval_id, OLD.created_at) THEN
    RAISE EXCEPTION 'the identity of an operation never changes' USING ERRCODE = 'DL004';
  END IF;
  IF NEW.canonical_text = '{}' AND OLD.canonical_text <> '{}'
     AND to_jsonb(NEW) - 'canonical_text' = to_jsonb(OLD) - 'canonical_text'
     AND payload_may_go(OLD.tenant_id, OLD.op_id) THEN
    RETURN NEW;
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

CREATE FUNCTION operation_versions_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF NEW.canonical_text = '{}' AND (NEW.tenant_id, NEW.op_id, NEW.version, NEW.payload_hash, NEW.author, NEW.at)
        IS NOT DISTINCT FROM (OLD.tenant_id, OLD.op_id, OLD.version, OLD.payload_hash, OLD.author, OLD.at)
        AND payload_may_go(OLD.tenant_id, OLD.op_id) THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'DL002';
END $$;
DROP TRIGGER operation_versions_append_only ON operation_versions;
CREATE TRIGGER operation_versions_append_only BEFORE UPDATE OR DELETE ON operation_versions
  FOR EACH ROW EXECUTE FUNCTION operation_versions_guard();

-- ---------------------------------------------------------------- evidence packs

-- The file is gone when its time is over; its size and hash stay.
ALTER TABLE packs ADD COLUMN removed_at timestamptz;
CREATE INDEX packs_with_file ON packs (tenant_id, finished_at) WHERE removed_at IS NULL AND finished_at IS NOT NULL;

CREATE INDEX notices_closed ON notices (tenant_id, closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX http_idempotency_by_age ON http_idempotency (tenant_id, created_at);

-- ---------------------------------------------------------------- roles

GRANT SELECT ON retention_rules, retention_holds, retention_turns, erasures, operation_tombstones
  TO deadline_console, deadline_worker;
GRANT INSERT ON retention_rules, retention_holds, erasures, operation_tombstones TO deadline_console;
GRANT UPDATE ON retention_holds, erasures TO deadline_console;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['retention_rules', 'retention_holds', 'retention_turns', 'erasures'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_tenant ON %I USING (tenant_id = current_tenant())
      WITH CHECK (tenant_id = current_tenant())', t);
  END LOOP;
END $$;
-- The console closes keys by erasure only; what retention removes, the owner's job removes.
ALTER TABLE operation_tombstones ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_tenant ON operation_tombstones FOR SELECT USING (tenant_id = current_tenant());
CREATE POLICY erased_in_one_tenant ON operation_tombstones FOR INSERT
  WITH CHECK (tenant_id = current_tenant() AND why = 'erasure');
