-- Deadlines as a page of their own, the sweeps that look for drift and for changed zone rules, and saved views.

-- ---------------------------------------------------------------- lists of requests, each by an index

-- A request without a clock stands at the end: with 9999 in place of null one comparison of rows pages through all.
DROP INDEX requests_open_by_earliest;
DROP INDEX requests_open_by_expiry;
DROP INDEX requests_open_by_deadline;
CREATE INDEX requests_open_by_earliest ON requests
  (tenant_id, coalesce(least(business_deadline_at, mirror_expires_at), '9999-01-01Z'::timestamptz), ref)
  WHERE NOT mirror_terminal;
CREATE INDEX requests_open_by_deadline ON requests
  (tenant_id, coalesce(business_deadline_at, '9999-01-01Z'::timestamptz), ref) WHERE NOT mirror_terminal;
CREATE INDEX requests_open_by_expiry ON requests
  (tenant_id, coalesce(mirror_expires_at, '9999-01-01Z'::timestamptz), ref) WHERE NOT mirror_terminal;
-- Whether they differ by more than the platform's rounding is asked of these few.
CREATE INDEX requests_open_differing ON requests
  (tenant_id, coalesce(least(business_deadline_at, mirror_expires_at), '9999-01-01Z'::timestamptz), ref)
  WHERE NOT mirror_terminal AND mirror_expires_at <> business_deadline_at;
-- The list of all requests: open ones first.
CREATE INDEX requests_by_place ON requests
  (tenant_id, mirror_terminal, coalesce(business_deadline_at, mirror_expires_at, '9999-01-01Z'::timestamptz), ref);
CREATE INDEX requests_by_owner ON requests (tenant_id, owner_account_id, ref);

-- With the kind in it, a list of one kind is counted without a look into the table.
DROP INDEX operations_by_state;
CREATE INDEX operations_by_state ON operations (tenant_id, state, changed_at DESC, op_id DESC) INCLUDE (kind);

-- ---------------------------------------------------------------- the sweep that looks for drift (RC-7)

ALTER TABLE requests
  -- When this request is read without anybody having asked; sooner near its clocks.
  ADD COLUMN next_sweep_at timestamptz NOT NULL DEFAULT ledger_now(),
  -- The zone rules under which the words of the business deadline were last looked at (TM-6).
  ADD COLUMN zone_checked text NOT NULL DEFAULT '';
CREATE INDEX requests_next_sweep ON requests (next_sweep_at, tenant_id, ref)
  WHERE NOT mirror_terminal AND platform_ref IS NOT NULL;
CREATE INDEX requests_zone_checked ON requests (zone_checked, tenant_id, ref)
  WHERE NOT mirror_terminal AND business_deadline IS NOT NULL;

-- New words have to be looked at again, whichever rules they were computed with.
CREATE FUNCTION requests_forget_zone_check() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.zone_checked := '';
  RETURN NEW;
END $$;
CREATE TRIGGER requests_forget_zone_check BEFORE UPDATE OF business_deadline ON requests
  FOR EACH ROW WHEN (NEW.business_deadline IS DISTINCT FROM OLD.business_deadline)
  EXECUTE FUNCTION requests_forget_zone_check();

-- RV-1: one open item per request and reason where no operation is concerned.
CREATE UNIQUE INDEX review_items_one_open_per_request ON review_items (tenant_id, request_ref, reason)
  WHERE settled_at IS NULL AND op_id IS NULL AND request_ref IS NOT NULL;

-- TM-4: how far the platform's clock is from the database's, as the last reads of a connection showed it.
ALTER TABLE connections
  ADD COLUMN clock_skew_ms integer,
  ADD COLUMN clock_skew_at timestamptz;

-- The zones of open requests of every tenant, without saying whose: at start-up the rules of runtime and database
-- are compared for these.
CREATE FUNCTION zones_in_use() RETURNS SETOF text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT DISTINCT zone FROM requests WHERE NOT mirror_terminal ORDER BY zone
$$;

-- ---------------------------------------------------------------- saved views

-- Named filters of one person. `query` is the address of the list without its place.
CREATE TABLE saved_views (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  id uuid NOT NULL,
  account_id uuid NOT NULL REFERENCES accounts (id),
  page text NOT NULL CHECK (page IN ('deadlines', 'requests', 'operations')),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  query text NOT NULL CHECK (length(query) <= 2000),
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX saved_views_name_key ON saved_views (tenant_id, account_id, page, lower(name));

-- ---------------------------------------------------------------- roles

GRANT SELECT ON saved_views TO deadline_console, deadline_worker;
GRANT INSERT, UPDATE, DELETE ON saved_views TO deadline_console;
GRANT SELECT (clock_skew_ms, clock_skew_at) ON connections TO deadline_console;
ALTER TABLE saved_views ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_tenant ON saved_views USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant());
