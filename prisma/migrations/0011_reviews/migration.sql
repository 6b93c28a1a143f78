-- The life of a review item: whose it is, what is lost by waiting, when it is too old, who is told next, and every act
-- on it (RV-1 to RV-4). Whatever opens or settles an item goes on writing the columns it knows; triggers fill the rest.

-- ---------------------------------------------------------------- what is lost by waiting, and by when

-- The same rule as `consequenceOf` in lib/domain/consequence.ts; a test compares the two. 1 critical, 2 high, 3 normal,
-- 4 low. Days are counted as hours, so that no change of clocks moves a limit.
CREATE FUNCTION review_consequence(kind text, reason text, loses_at timestamptz, at timestamptz) RETURNS smallint
  LANGUAGE sql STABLE AS $$
  SELECT (CASE
    WHEN reason IN ('possible_duplicate', 'stored_bytes_changed', 'history_changed') THEN 1
    WHEN kind = 'remind' THEN 4
    WHEN loses_at <= at + interval '24 hours' THEN 1
    WHEN kind IN ('void', 'extend', 'expire') OR loses_at <= at + interval '168 hours' THEN 2
    WHEN kind IS NULL AND loses_at IS NULL AND reason IN ('event_type_unknown', 'event_request_unknown',
      'event_malformed', 'event_duplicate_members', 'event_foreign_account') THEN 4
    ELSE 3 END)::smallint
$$;

CREATE FUNCTION review_limit(consequence smallint) RETURNS interval LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE consequence WHEN 1 THEN interval '15 minutes' WHEN 2 THEN interval '1 hour'
    WHEN 3 THEN interval '8 hours' ELSE interval '24 hours' END
$$;

-- The earliest instant at which the age of an item reaches this share of the limit that its consequence has at that
-- instant: as the loss comes nearer the limit gets shorter. The same rule as `reachedAt` in lib/domain/review-clock.ts.
CREATE FUNCTION review_reached_at(opened timestamptz, kind text, reason text, loses_at timestamptz, share float8)
  RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN loses_at IS NULL OR kind = 'remind'
      OR reason IN ('possible_duplicate', 'stored_bytes_changed', 'history_changed')
      THEN opened + share * review_limit(review_consequence(kind, reason, loses_at, opened))
    ELSE least(
      opened + share * review_limit(review_consequence(kind, reason, loses_at, opened)),
      greatest(opened + share * interval '1 hour', loses_at - interval '168 hours'),
      greatest(opened + share * interval '15 minutes', loses_at - interval '24 hours')) END
$$;

-- The earlier of the two clocks that end a request; null once it has ended: then nothing is lost any more.
CREATE FUNCTION request_loses_at(terminal boolean, business timestamptz, platform timestamptz) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN terminal THEN NULL ELSE least(business, platform) END
$$;

-- ---------------------------------------------------------------- whose it is

CREATE FUNCTION team_of_role(role text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE role WHEN 'account_manager' THEN 'team:account-managers' WHEN 'compliance' THEN 'team:compliance'
    WHEN 'admin' THEN 'team:admins' ELSE 'team:on-call' END
$$;

-- The team of an owner: itself, or the team of a person's present or last role. Never null (RV-1).
CREATE FUNCTION team_of_owner(tenant uuid, owner text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT CASE WHEN owner LIKE 'team:%' THEN owner ELSE coalesce(
    (SELECT team_of_role(m.role) FROM memberships m
      WHERE m.tenant_id = tenant AND 'account:' || m.account_id = owner), 'team:on-call') END
$$;

-- The owner as it stands: a person who left or was switched off gives way to the team (RV-1).
CREATE FUNCTION standing_owner(tenant uuid, owner text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT CASE WHEN owner LIKE 'account:%' AND NOT EXISTS (
    SELECT 1 FROM memberships m JOIN accounts a ON a.id = m.account_id
    WHERE m.tenant_id = tenant AND 'account:' || m.account_id = owner AND m.removed_at IS NULL
      AND a.disabled_at IS NULL)
  THEN team_of_owner(tenant, owner) ELSE owner END
$$;

-- The first rule that fits gives the owner; where none fits, the reason's own owner does. Rules are retired, never
-- changed but for their place, so that an item always says which one sent it there.
CREATE TABLE routing_rules (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  id uuid NOT NULL,
  position integer NOT NULL CHECK (position > 0),
  -- Null fits everything.
  reason text,
  kind text,
  connection_id uuid,
  owner text NOT NULL CHECK (owner LIKE 'team:%' OR owner LIKE 'account:%'),
  -- Who is told when the age limit is passed; null for the usual line.
  escalate_to text CHECK (escalate_to LIKE 'team:%' OR escalate_to LIKE 'account:%'),
  -- Sooner than at the age limit; null for the limit itself.
  escalate_after_minutes integer CHECK (escalate_after_minutes BETWEEN 1 AND 1440),
  created_by uuid NOT NULL REFERENCES accounts (id),
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  retired_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id)
);
CREATE INDEX routing_rules_in_force ON routing_rules (tenant_id, position) WHERE retired_at IS NULL;

-- Who of a team is on call. Where no shift covers an instant the whole team is.
CREATE TABLE rota_shifts (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  id uuid NOT NULL,
  team text NOT NULL CHECK (team IN ('team:on-call', 'team:account-managers', 'team:compliance', 'team:admins')),
  account_id uuid NOT NULL,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  created_by uuid NOT NULL REFERENCES accounts (id),
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  retired_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, account_id) REFERENCES memberships (tenant_id, account_id),
  CONSTRAINT rota_shifts_end_after_start CHECK (ends_at > starts_at)
);
CREATE INDEX rota_shifts_in_force ON rota_shifts (tenant_id, team, ends_at) WHERE retired_at IS NULL;

-- ---------------------------------------------------------------- the items

ALTER TABLE review_items
  ADD COLUMN status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'claimed', 'acknowledged', 'snoozed',
    'second_person', 'settled', 'closed_proven', 'closed_override')),
  -- The owner that the reason itself gives; routing goes back to it when no rule fits any more.
  ADD COLUMN default_owner text NOT NULL DEFAULT '',
  -- The team behind the owner, to which the item returns when a person leaves.
  ADD COLUMN team text NOT NULL DEFAULT '',
  ADD COLUMN assigned_to uuid REFERENCES accounts (id),
  -- A person said whose it is; no rule moves it after that.
  ADD COLUMN assigned_by_person boolean NOT NULL DEFAULT false,
  ADD COLUMN assigned_at timestamptz,
  ADD COLUMN routed_by uuid,
  ADD COLUMN status_until timestamptz,
  ADD COLUMN regressed_at timestamptz,
  ADD COLUMN connection_id uuid,
  ADD COLUMN kind text,
  ADD COLUMN loses_at timestamptz,
  ADD COLUMN consequence smallint NOT NULL DEFAULT 3 CHECK (consequence BETWEEN 1 AND 4),
  ADD COLUMN warn_at timestamptz NOT NULL DEFAULT ledger_now(),
  ADD COLUMN breach_at timestamptz NOT NULL DEFAULT ledger_now(),
  ADD COLUMN breached boolean NOT NULL DEFAULT false,
  -- How many alerts were raised; the next one is due at `next_alert_at`, null while none is.
  ADD COLUMN alert_level smallint NOT NULL DEFAULT 0,
  ADD COLUMN next_alert_at timestamptz,
  ADD COLUMN acts integer NOT NULL DEFAULT 0,
  ADD COLUMN closed_at timestamptz,
  ADD COLUMN closed_by uuid,
  ADD COLUMN decision_id uuid,
  ADD FOREIGN KEY (tenant_id, routed_by) REFERENCES routing_rules (tenant_id, id);

-- Everything that was done about an item. `detail` holds codes and ids; what a person typed is a vault entry (SM-3).
-- Like the history of operations it has no foreign key, whose check would cost a storm more than the entry itself.
CREATE TABLE review_acts (
  tenant_id uuid NOT NULL,
  item_id uuid NOT NULL,
  seq integer NOT NULL CHECK (seq > 0),
  at timestamptz NOT NULL DEFAULT ledger_now(),
  actor text NOT NULL CHECK (actor <> ''),
  act text NOT NULL CHECK (act IN ('opened', 'routed', 'assigned', 'handed_over', 'acknowledged', 'ack_expired',
    'snoozed', 'snooze_ended', 'alerted', 'escalated', 'regressed', 'decided', 'override_asked', 'override_confirmed',
    'override_refused', 'settled', 'seen', 'closed')),
  detail jsonb NOT NULL DEFAULT '{}',
  note_ref uuid,
  note_digest text,
  PRIMARY KEY (tenant_id, item_id, seq),
  CONSTRAINT review_acts_note_is_whole CHECK ((note_ref IS NULL) = (note_digest IS NULL))
);
CREATE TRIGGER review_acts_append_only BEFORE UPDATE OR DELETE ON review_acts
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER review_acts_no_truncate BEFORE TRUNCATE ON review_acts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What exists already: settled items are out of the queue, open ones enter it where they belong.
UPDATE review_items i SET
  request_ref = coalesce(i.request_ref, o.request_ref), kind = o.kind, connection_id = o.connection_id
  FROM operations o WHERE o.tenant_id = i.tenant_id AND o.op_id = i.op_id;
UPDATE review_items i SET connection_id = e.connection_id
  FROM inbox_events e WHERE e.tenant_id = i.tenant_id AND e.id = i.inbox_id;
UPDATE review_items i SET connection_id = coalesce(i.connection_id, r.connection_id),
  loses_at = request_loses_at(r.mirror_terminal, r.business_deadline_at, r.mirror_expires_at)
  FROM requests r WHERE r.tenant_id = i.tenant_id AND r.ref = i.request_ref;
UPDATE review_items SET
  default_owner = owner, team = team_of_owner(tenant_id, owner),
  status = CASE WHEN settled_at IS NULL THEN 'open' ELSE 'settled' END, closed_at = settled_at,
  consequence = review_consequence(kind, reason, loses_at, ledger_now()),
  warn_at = review_reached_at(opened_at, kind, reason, loses_at, 0.5),
  breach_at = review_reached_at(opened_at, kind, reason, loses_at, 1),
  breached = settled_at IS NULL AND review_reached_at(opened_at, kind, reason, loses_at, 1) <= ledger_now(),
  next_alert_at = CASE WHEN settled_at IS NULL THEN opened_at END, acts = 1;
INSERT INTO review_acts (tenant_id, item_id, seq, at, actor, act, detail)
  SELECT tenant_id, id, 1, opened_at, 'system', 'opened', jsonb_build_object('reason', reason, 'owner', owner)
  FROM review_items;

ALTER TABLE review_items
  ADD CONSTRAINT review_items_is_owned CHECK (default_owner <> '' AND team <> ''),
  ADD CONSTRAINT review_items_closed_says_how CHECK (CASE WHEN closed_at IS NULL
    THEN status NOT IN ('closed_proven', 'closed_override')
    ELSE status IN ('settled', 'closed_proven', 'closed_override') AND settled_at IS NOT NULL END),
  ADD CONSTRAINT review_items_held_until CHECK ((status IN ('acknowledged', 'snoozed')) = (status_until IS NOT NULL)),
  ADD CONSTRAINT review_items_in_work_by_somebody CHECK (status <> 'claimed' OR assigned_to IS NOT NULL);

-- The alert pass changes many rows in place.
ALTER TABLE review_items SET (fillfactor = 75);

-- RV-4, the order of the queue: breached first, then what is lost first, then consequence, then age. One comparison of
-- rows pages through all of it.
CREATE INDEX review_items_queue ON review_items
  (tenant_id, (NOT breached), (coalesce(loses_at, 'infinity'::timestamptz)), consequence, opened_at, id)
  WHERE closed_at IS NULL;
CREATE INDEX review_items_by_owner ON review_items (tenant_id, owner) WHERE closed_at IS NULL;
CREATE INDEX review_items_set_apart ON review_items (tenant_id, status)
  WHERE closed_at IS NULL AND status IN ('acknowledged', 'snoozed', 'second_person', 'settled');
CREATE INDEX review_items_closed ON review_items (tenant_id, closed_at DESC, id DESC) WHERE closed_at IS NOT NULL;
CREATE INDEX review_items_by_request ON review_items (tenant_id, request_ref, opened_at DESC)
  WHERE request_ref IS NOT NULL;
CREATE INDEX review_items_by_operation ON review_items (tenant_id, op_id, opened_at DESC) WHERE op_id IS NOT NULL;

-- ---------------------------------------------------------------- what the database keeps by itself

-- Whatever opens an item, it enters the queue whole.
CREATE FUNCTION review_items_fill() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  op record;
  req record;
BEGIN
  IF NEW.op_id IS NOT NULL THEN
    SELECT o.kind, o.connection_id, o.request_ref INTO op FROM operations o
    WHERE o.tenant_id = NEW.tenant_id AND o.op_id = NEW.op_id;
    NEW.kind := coalesce(NEW.kind, op.kind);
    NEW.connection_id := coalesce(NEW.connection_id, op.connection_id);
    NEW.request_ref := coalesce(NEW.request_ref, op.request_ref);
  ELSIF NEW.inbox_id IS NOT NULL AND NEW.connection_id IS NULL THEN
    NEW.connection_id := (SELECT e.connection_id FROM inbox_events e
      WHERE e.tenant_id = NEW.tenant_id AND e.id = NEW.inbox_id);
  END IF;
  IF NEW.request_ref IS NOT NULL THEN
    SELECT r.connection_id, r.mirror_terminal, r.business_deadline_at, r.mirror_expires_at INTO req FROM requests r
    WHERE r.tenant_id = NEW.tenant_id AND r.ref = NEW.request_ref;
    NEW.connection_id := coalesce(NEW.connection_id, req.connection_id);
    NEW.loses_at := request_loses_at(req.mirror_terminal, req.business_deadline_at, req.mirror_expires_at);
  END IF;
  NEW.default_owner := NEW.owner;
  NEW.team := team_of_owner(NEW.tenant_id, NEW.owner);
  NEW.consequence := review_consequence(NEW.kind, NEW.reason, NEW.loses_at, ledger_now());
  NEW.warn_at := review_reached_at(NEW.opened_at, NEW.kind, NEW.reason, NEW.loses_at, 0.5);
  NEW.breach_at := review_reached_at(NEW.opened_at, NEW.kind, NEW.reason, NEW.loses_at, 1);
  NEW.acts := 1;
  IF NEW.settled_at IS NULL THEN
    NEW.breached := NEW.breach_at <= ledger_now();
    NEW.next_alert_at := NEW.opened_at;
  ELSIF NEW.status = 'open' THEN
    NEW.status := 'settled';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER review_items_fill BEFORE INSERT ON review_items
  FOR EACH ROW EXECUTE FUNCTION review_items_fill();

CREATE FUNCTION review_items_tell_opened() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  INSERT INTO review_acts (tenant_id, item_id, seq, at, actor, act, detail)
  VALUES (NEW.tenant_id, NEW.id, 1, NEW.opened_at, 'system', 'opened',
    jsonb_build_object('reason', NEW.reason, 'owner', NEW.owner));
  RETURN NULL;
END $$;
CREATE TRIGGER review_items_tell_opened AFTER INSERT ON review_items
  FOR EACH ROW EXECUTE FUNCTION review_items_tell_opened();

-- RV-1: what needs no decision any more stays in the queue until its owner has seen it, and nobody is alerted of it. A
-- decision that closes the item in the same statement says so itself.
CREATE FUNCTION review_items_settle() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.status := 'settled';
  NEW.status_until := NULL;
  NEW.breached := false;
  NEW.next_alert_at := NULL;
  NEW.acts := NEW.acts + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER review_items_settle BEFORE UPDATE OF settled_at ON review_items
  FOR EACH ROW WHEN (OLD.settled_at IS NULL AND NEW.settled_at IS NOT NULL AND NEW.closed_at IS NULL)
  EXECUTE FUNCTION review_items_settle();

CREATE FUNCTION review_items_tell_settled() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  INSERT INTO review_acts (tenant_id, item_id, seq, actor, act)
  VALUES (NEW.tenant_id, NEW.id, NEW.acts, 'system', 'settled');
  RETURN NULL;
END $$;
CREATE TRIGGER review_items_tell_settled AFTER UPDATE OF settled_at ON review_items
  FOR EACH ROW WHEN (OLD.settled_at IS NULL AND NEW.settled_at IS NOT NULL AND NEW.closed_at IS NULL)
  EXECUTE FUNCTION review_items_tell_settled();

-- A loss that comes nearer or goes away moves the limits, and with them the next reminder.
CREATE FUNCTION review_items_move_clocks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.consequence := review_consequence(NEW.kind, NEW.reason, NEW.loses_at, ledger_now());
  NEW.warn_at := review_reached_at(NEW.opened_at, NEW.kind, NEW.reason, NEW.loses_at, 0.5);
  NEW.breach_at := review_reached_at(NEW.opened_at, NEW.kind, NEW.reason, NEW.loses_at, 1);
  NEW.breached := NEW.settled_at IS NULL AND NEW.breach_at <= ledger_now();
  IF NEW.next_alert_at IS NOT NULL THEN
    NEW.next_alert_at := least(NEW.next_alert_at, CASE NEW.alert_level WHEN 0 THEN NEW.opened_at
      WHEN 1 THEN NEW.warn_at WHEN 2 THEN NEW.breach_at ELSE ledger_now() + review_limit(NEW.consequence) END);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER review_items_move_clocks BEFORE UPDATE OF loses_at ON review_items
  FOR EACH ROW WHEN (NEW.loses_at IS DISTINCT FROM OLD.loses_at)
  EXECUTE FUNCTION review_items_move_clocks();

-- RV-2: what a read or an event changed about a request is new evidence for whoever holds an item about it back.
CREATE FUNCTION requests_tell_reviews() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  loses timestamptz := request_loses_at(NEW.mirror_terminal, NEW.business_deadline_at, NEW.mirror_expires_at);
  differs boolean := (NEW.mirror_status, NEW.mirror_expires_at, NEW.mirror_signed)
    IS DISTINCT FROM (OLD.mirror_status, OLD.mirror_expires_at, OLD.mirror_signed);
BEGIN
  UPDATE review_items i SET loses_at = loses,
    regressed_at = CASE WHEN differs AND i.status IN ('acknowledged', 'snoozed', 'second_person', 'settled')
      THEN ledger_now() ELSE i.regressed_at END
  WHERE i.tenant_id = NEW.tenant_id AND i.request_ref = NEW.ref AND i.closed_at IS NULL
    AND (i.loses_at IS DISTINCT FROM loses
      OR differs AND i.status IN ('acknowledged', 'snoozed', 'second_person', 'settled'));
  RETURN NULL;
END $$;
CREATE TRIGGER requests_tell_reviews AFTER UPDATE ON requests
  FOR EACH ROW WHEN ((NEW.mirror_status, NEW.mirror_expires_at, NEW.mirror_signed, NEW.mirror_terminal,
      NEW.business_deadline_at)
    IS DISTINCT FROM (OLD.mirror_status, OLD.mirror_expires_at, OLD.mirror_signed, OLD.mirror_terminal,
      OLD.business_deadline_at))
  EXECUTE FUNCTION requests_tell_reviews();

-- SM-5: a late report about an operation that waits for a person is new evidence too.
CREATE FUNCTION operations_tell_late_result() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  UPDATE review_items i SET regressed_at = ledger_now()
  WHERE i.tenant_id = NEW.tenant_id AND i.op_id = NEW.op_id AND i.closed_at IS NULL
    AND i.status IN ('acknowledged', 'snoozed', 'second_person', 'settled')
    AND EXISTS (SELECT 1 FROM operation_events e WHERE e.tenant_id = NEW.tenant_id AND e.op_id = NEW.op_id
      AND e.seq = NEW.chain_length AND e.kind = 'late_result');
  RETURN NULL;
END $$;
CREATE TRIGGER operations_tell_late_result AFTER UPDATE ON operations
  FOR EACH ROW WHEN (NEW.state = OLD.state AND NEW.chain_length > OLD.chain_length
    AND NEW.state IN ('quarantined', 'needs_review', 'done', 'obsolete', 'superseded', 'failed_terminal'))
  EXECUTE FUNCTION operations_tell_late_result();

-- ---------------------------------------------------------------- saved views

ALTER TABLE saved_views DROP CONSTRAINT saved_views_page_check;
ALTER TABLE saved_views ADD CONSTRAINT saved_views_page_check
  CHECK (page IN ('deadlines', 'requests', 'operations', 'reviews'));

-- ---------------------------------------------------------------- roles

GRANT SELECT ON review_acts, routing_rules, rota_shifts TO deadline_console, deadline_worker;
GRANT INSERT ON review_acts TO deadline_console, deadline_worker;
GRANT INSERT, UPDATE ON routing_rules, rota_shifts TO deadline_console;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['review_acts', 'routing_rules', 'rota_shifts'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_tenant ON %I USING (tenant_id = current_tenant())
      WITH CHECK (tenant_id = current_tenant())', t);
  END LOOP;
END $$;
