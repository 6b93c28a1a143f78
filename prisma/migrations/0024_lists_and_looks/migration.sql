-- Looks that take turns, lists that cost by what they show, and a record of what a platform is said to promise.

-- ---------------------------------------------------------------- looks (CL-5)

-- Each tenant's looks in the order in which they are due: a claim steps from tenant to tenant in it.
CREATE INDEX operations_looks ON operations (tenant_id, next_look_at, op_id) WHERE state = 'needs_reconcile';

-- ---------------------------------------------------------------- lists

-- A list of one kind is counted by reading what matches only. Keys repeat, so that the index is small.
CREATE INDEX operations_by_kind ON operations (tenant_id, kind, state);

-- The events of one request, whatever it was called at the platform when they came.
CREATE INDEX inbox_events_of_request ON inbox_events (tenant_id, request_ref) WHERE request_ref IS NOT NULL;

ALTER TABLE saved_views DROP CONSTRAINT saved_views_page_check;
ALTER TABLE saved_views ADD CONSTRAINT saved_views_page_check
  CHECK (page IN ('deadlines', 'requests', 'operations', 'reviews', 'inbox'));

-- ---------------------------------------------------------------- what a platform promises (PL-2)

-- Every change of a descriptor is an entry of the record of controls, with what it said before and says now. The
-- console cannot change one; whoever operates the installation may say who they are in `deadline.operator`.
CREATE FUNCTION connections_record_descriptor() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  INSERT INTO control_events (tenant_id, id, kind, about, actor, body)
  VALUES (NEW.tenant_id, gen_random_uuid(), 'capabilities_changed', 'connection:' || NEW.id,
    coalesce(nullif(current_setting('deadline.operator', true), ''), 'system:operator'),
    json_build_object('before', OLD.descriptor, 'after', NEW.descriptor)::text);
  RETURN NULL;
END $$;
CREATE TRIGGER connections_descriptor AFTER UPDATE OF descriptor ON connections
  FOR EACH ROW WHEN (NEW.descriptor IS DISTINCT FROM OLD.descriptor)
  EXECUTE FUNCTION connections_record_descriptor();
ALTER TABLE connections ENABLE ALWAYS TRIGGER connections_descriptor;
