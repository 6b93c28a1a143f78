-- Reads that decisions reserve, clocks that differ, and who was told of what stays unknown.

-- ---------------------------------------------------------------- reads (PL-7)

-- A decision that is about to read holds its place in the budget, so that many at once cannot overdraw it.
ALTER TABLE decisions ADD COLUMN read_reserved_until timestamptz;
CREATE INDEX decisions_reserve_reads ON decisions (tenant_id, connection_id)
  WHERE outcome = 'reading' AND read_reserved_until IS NOT NULL;

-- ---------------------------------------------------------------- clocks (TM-4)

CREATE UNIQUE INDEX review_items_one_open_on_clock ON review_items (tenant_id, connection_id)
  WHERE settled_at IS NULL AND reason = 'clock_skew';

-- ---------------------------------------------------------------- what stays unknown (RC-4)

-- Of which unknown operation people were told: once per time that it became unknown.
CREATE INDEX operations_unknown ON operations (unknown_since)
  WHERE state IN ('needs_reconcile', 'reconciling');
CREATE TABLE unknown_alerts (
  tenant_id uuid NOT NULL,
  op_id uuid NOT NULL,
  unknown_since timestamptz NOT NULL,
  told_at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (tenant_id, op_id),
  FOREIGN KEY (tenant_id, op_id) REFERENCES operations (tenant_id, op_id)
);
GRANT SELECT ON unknown_alerts TO deadline_console;
GRANT SELECT, INSERT, UPDATE ON unknown_alerts TO deadline_worker;
ALTER TABLE unknown_alerts ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_tenant ON unknown_alerts USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant());

-- ---------------------------------------------------------------- alerts (RV-1)

-- A storm is alerted of row by row in place. With room for a second version of each row on its page no index is
-- touched by that.
ALTER TABLE review_items SET (fillfactor = 50);
