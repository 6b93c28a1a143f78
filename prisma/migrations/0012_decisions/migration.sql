-- Decisions about review items (RV-3): who decided what and why, which facts were on screen, which read it was proven
-- by, and who confirmed it against a read. What was decided never changes; what came of it moves forward only.

CREATE TABLE review_selections (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  id uuid NOT NULL,
  reason text NOT NULL,
  kind text,
  count integer NOT NULL CHECK (count > 0),
  created_by uuid NOT NULL REFERENCES accounts (id),
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  -- One decision with one reason for all of them; null until then.
  option text,
  reason_ref uuid,
  reason_digest text,
  decided_by uuid REFERENCES accounts (id),
  decided_at timestamptz,
  stopped_by uuid REFERENCES accounts (id),
  stopped_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT review_selections_decided_whole CHECK ((option IS NULL) = (decided_at IS NULL)
    AND (option IS NULL) = (reason_ref IS NULL) AND (option IS NULL) = (reason_digest IS NULL)
    AND (option IS NULL) = (decided_by IS NULL))
);

-- The frozen list (AP-5, RV-3): what was chosen is what is decided, whatever opens or closes meanwhile.
CREATE TABLE review_selection_items (
  tenant_id uuid NOT NULL,
  selection_id uuid NOT NULL,
  item_id uuid NOT NULL,
  position integer NOT NULL CHECK (position > 0),
  PRIMARY KEY (tenant_id, selection_id, item_id),
  FOREIGN KEY (tenant_id, selection_id) REFERENCES review_selections (tenant_id, id),
  FOREIGN KEY (tenant_id, item_id) REFERENCES review_items (tenant_id, id)
);
CREATE TRIGGER review_selection_items_frozen BEFORE UPDATE OR DELETE ON review_selection_items
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE decisions (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  item_id uuid NOT NULL,
  selection_id uuid,
  op_id uuid,
  request_ref text,
  connection_id uuid,
  family text NOT NULL,
  option text NOT NULL,
  -- The platform's reference that was chosen or entered.
  kept text CHECK (length(kept) BETWEEN 1 AND 200),
  -- Further references whose void is proposed although they carry a signature: each was typed by the person.
  voids_typed text[] NOT NULL DEFAULT '{}',
  -- What was on screen (AP-1 for decisions): a hash over the facts that the options follow from.
  facts_hash text NOT NULL CHECK (length(facts_hash) = 64),
  needs_read boolean NOT NULL,
  overridable boolean NOT NULL,
  decided_by uuid NOT NULL REFERENCES accounts (id),
  decided_role text NOT NULL,
  -- The typed reason is a vault entry; the history holds its digest (SM-3).
  reason_ref uuid NOT NULL,
  reason_digest text NOT NULL,
  at timestamptz NOT NULL DEFAULT ledger_now(),

  outcome text NOT NULL CHECK (outcome IN ('reading', 'proven', 'refused_by_read', 'unreadable', 'budget_empty',
    'second_person', 'confirming', 'overridden', 'override_refused', 'proposal_open', 'moved_on', 'stopped')),
  -- What the read means instead, as a reason code, and the difference in full (JSON).
  shows text,
  difference text,
  receipt_id uuid,
  -- When a read would be free (PL-7).
  possible_at timestamptz,
  next_try_at timestamptz NOT NULL DEFAULT ledger_now(),
  taken_at timestamptz,
  ended_at timestamptz,
  -- Operations that were proposed by it: voids of the extra requests.
  proposed_ops uuid[] NOT NULL DEFAULT '{}',

  -- The decision that this one reverses: its author confirms nothing here.
  reverses uuid,
  asked_at timestamptz,
  second_by uuid REFERENCES accounts (id),
  second_role text,
  second_answer text CHECK (second_answer IN ('confirmed', 'refused')),
  second_reason_ref uuid,
  second_reason_digest text,
  second_at timestamptz,

  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, item_id) REFERENCES review_items (tenant_id, id),
  FOREIGN KEY (tenant_id, selection_id) REFERENCES review_selections (tenant_id, id),
  FOREIGN KEY (tenant_id, op_id) REFERENCES operations (tenant_id, op_id),
  FOREIGN KEY (tenant_id, reverses) REFERENCES decisions (tenant_id, id),
  CONSTRAINT decisions_second_is_another CHECK (second_by <> decided_by),
  CONSTRAINT decisions_second_is_whole CHECK ((second_by IS NULL) = (second_at IS NULL)
    AND (second_by IS NULL) = (second_answer IS NULL) AND (second_by IS NULL) = (second_reason_ref IS NULL)
    AND (second_by IS NULL) = (second_reason_digest IS NULL) AND (second_by IS NULL) = (second_role IS NULL)),
  -- RV-3: two things nobody overrides; and what nobody confirmed is not overridden.
  CONSTRAINT decisions_override_has_two CHECK (outcome NOT IN ('confirming', 'overridden')
    OR second_answer = 'confirmed' AND option <> 'schedule_again')
);

-- Two people who decide at once: one decision, the other is told.
CREATE UNIQUE INDEX decisions_one_live ON decisions (tenant_id, item_id)
  WHERE outcome IN ('reading', 'second_person', 'confirming');
CREATE INDEX decisions_to_work ON decisions (next_try_at, id) WHERE outcome IN ('reading', 'confirming');
CREATE INDEX decisions_by_item ON decisions (tenant_id, item_id, at DESC);
CREATE INDEX decisions_by_request ON decisions (tenant_id, request_ref, at DESC) WHERE request_ref IS NOT NULL;
CREATE INDEX decisions_by_selection ON decisions (tenant_id, selection_id) WHERE selection_id IS NOT NULL;

CREATE FUNCTION decisions_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.tenant_id, NEW.id, NEW.item_id, NEW.selection_id, NEW.op_id, NEW.request_ref, NEW.connection_id, NEW.family,
      NEW.option, NEW.kept, NEW.voids_typed, NEW.facts_hash, NEW.overridable, NEW.decided_by, NEW.decided_role,
      NEW.reason_ref, NEW.reason_digest, NEW.at)
    IS DISTINCT FROM (OLD.tenant_id, OLD.id, OLD.item_id, OLD.selection_id, OLD.op_id, OLD.request_ref,
      OLD.connection_id, OLD.family, OLD.option, OLD.kept, OLD.voids_typed, OLD.facts_hash, OLD.overridable,
      OLD.decided_by, OLD.decided_role, OLD.reason_ref, OLD.reason_digest, OLD.at) THEN
    RAISE EXCEPTION 'what was decided never changes' USING ERRCODE = 'DL004';
  END IF;
  IF NEW.outcome <> OLD.outcome AND NOT (
    OLD.outcome = 'reading' AND NEW.outcome IN ('proven', 'refused_by_read', 'unreadable', 'budget_empty', 'moved_on',
      'stopped')
    OR OLD.outcome IN ('refused_by_read', 'unreadable') AND NEW.outcome = 'second_person'
    OR OLD.outcome = 'second_person' AND NEW.outcome IN ('confirming', 'override_refused', 'moved_on')
    OR OLD.outcome = 'confirming' AND NEW.outcome IN ('overridden', 'moved_on')) THEN
    RAISE EXCEPTION 'a decision cannot go from % to %', OLD.outcome, NEW.outcome USING ERRCODE = 'DL001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER decisions_guard BEFORE UPDATE ON decisions FOR EACH ROW EXECUTE FUNCTION decisions_guard();
CREATE TRIGGER decisions_no_delete BEFORE DELETE ON decisions FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER decisions_no_truncate BEFORE TRUNCATE ON decisions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The console decides, the worker reads (PL-1).
CREATE FUNCTION decisions_wake() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('deadline_reads', '');
  RETURN NULL;
END $$;
CREATE TRIGGER decisions_wake_insert AFTER INSERT ON decisions
  FOR EACH ROW WHEN (NEW.outcome = 'reading') EXECUTE FUNCTION decisions_wake();
CREATE TRIGGER decisions_wake_update AFTER UPDATE ON decisions
  FOR EACH ROW WHEN (NEW.outcome = 'confirming' AND OLD.outcome <> 'confirming') EXECUTE FUNCTION decisions_wake();

-- An item is closed by a decision that exists.
ALTER TABLE review_items ADD FOREIGN KEY (tenant_id, decision_id) REFERENCES decisions (tenant_id, id);

-- ---------------------------------------------------------------- settled by a read (RV-1)

-- What waits for a person is still read now and then: when the platform answers the question by itself, nobody has to.
ALTER TABLE review_items ADD COLUMN next_read_at timestamptz;
CREATE INDEX review_items_to_read ON review_items (next_read_at, tenant_id, id)
  WHERE next_read_at IS NOT NULL AND settled_at IS NULL;

CREATE FUNCTION review_items_read_again() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  IF NEW.settled_at IS NULL AND EXISTS (SELECT 1 FROM operations o WHERE o.tenant_id = NEW.tenant_id
      AND o.op_id = NEW.op_id AND o.state IN ('quarantined', 'needs_review') AND o.reason = NEW.reason) THEN
    NEW.next_read_at := ledger_now() + interval '15 minutes';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER review_items_read_again BEFORE INSERT ON review_items
  FOR EACH ROW WHEN (NEW.op_id IS NOT NULL) EXECUTE FUNCTION review_items_read_again();
UPDATE review_items i SET next_read_at = ledger_now() FROM operations o
  WHERE i.settled_at IS NULL AND o.tenant_id = i.tenant_id AND o.op_id = i.op_id
    AND o.state IN ('quarantined', 'needs_review') AND o.reason = i.reason;

-- RC-6: what an event or another read changed of the request may be the answer.
CREATE FUNCTION requests_hasten_reviews() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  UPDATE review_items i SET next_read_at = ledger_now()
  WHERE i.tenant_id = NEW.tenant_id AND i.request_ref = NEW.ref AND i.closed_at IS NULL AND i.settled_at IS NULL
    AND i.next_read_at > ledger_now();
  RETURN NULL;
END $$;
CREATE TRIGGER requests_hasten_reviews AFTER UPDATE ON requests
  FOR EACH ROW WHEN ((NEW.mirror_status, NEW.mirror_expires_at, NEW.mirror_last_reminder_at, NEW.mirror_last_delivery_at)
    IS DISTINCT FROM (OLD.mirror_status, OLD.mirror_expires_at, OLD.mirror_last_reminder_at,
      OLD.mirror_last_delivery_at))
  EXECUTE FUNCTION requests_hasten_reviews();

-- ID-7: what has a successor is read at once, so that the successor waits no longer than it must.
CREATE FUNCTION operations_hasten_review() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  UPDATE review_items i SET next_read_at = ledger_now()
  WHERE i.tenant_id = NEW.tenant_id AND i.op_id = NEW.op_id AND i.closed_at IS NULL AND i.settled_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER operations_hasten_review AFTER UPDATE OF successor_op_id ON operations
  FOR EACH ROW WHEN (NEW.successor_op_id IS DISTINCT FROM OLD.successor_op_id
    AND NEW.state IN ('quarantined', 'needs_review'))
  EXECUTE FUNCTION operations_hasten_review();

-- ---------------------------------------------------------------- roles

GRANT SELECT ON decisions, review_selections, review_selection_items TO deadline_console, deadline_worker;
GRANT INSERT, UPDATE ON decisions, review_selections TO deadline_console;
GRANT INSERT ON review_selection_items TO deadline_console;
GRANT UPDATE ON decisions TO deadline_worker;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['decisions', 'review_selections', 'review_selection_items'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_tenant ON %I USING (tenant_id = current_tenant())
      WITH CHECK (tenant_id = current_tenant())', t);
  END LOOP;
END $$;
