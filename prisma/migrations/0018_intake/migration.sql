-- Intake under load: what deliveries came to, in figures; reads that wait until their budget has room; and one question
-- to the connection's owner when many deliveries fail authentication.

-- ---------------------------------------------------------------- the door of a connection (IN-1)

-- Makes the rest of the transaction act for the tenant that the connection belongs to, bounds how long it waits for
-- locks, and gives what is needed to check deliveries. One round trip; under the caller's rights and row security.
CREATE FUNCTION open_inbox(tenant uuid, connection uuid, lock_wait_ms integer)
  RETURNS TABLE (name text, adapter text, owner text, secrets text, descriptor text, account text, at timestamptz)
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('deadline.tenant_id', tenant::text, true), set_config('deadline.account_id', '', true),
    set_config('lock_timeout', lock_wait_ms || 'ms', true);
  RETURN QUERY SELECT c.name, c.adapter, c.owner, c.webhook_secrets_sealed, c.descriptor, c.platform_account, ledger_now()
    FROM connections c WHERE c.tenant_id = tenant AND c.id = connection;
END $$;

-- ---------------------------------------------------------------- what deliveries came to (OP-1)

-- How often events and their copies came to each outcome, since the connection exists. Written in the transaction that
-- brings the outcome about, so that a figure counts what is committed and nothing else.
CREATE TABLE inbox_tallies (
  tenant_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('received', 'applied', 'no_change', 'unmatched', 'quarantined', 'dead',
    'duplicate')),
  count bigint NOT NULL CHECK (count > 0),
  PRIMARY KEY (tenant_id, connection_id, outcome),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id)
) WITH (fillfactor = 50);

-- ---------------------------------------------------------------- reads that are ordered (PL-7, RC-6)

-- When an order is looked at next: at once, when the read budget of its connection has room for it, or, while somebody
-- makes the read, when that counts as broken off. An order is open until its receipt is there.
ALTER TABLE read_orders
  ADD COLUMN due_at timestamptz NOT NULL DEFAULT ledger_now(),
  -- Reads for it that were not answered.
  ADD COLUMN tries integer NOT NULL DEFAULT 0;
DROP INDEX read_orders_waiting;
CREATE INDEX read_orders_waiting ON read_orders (due_at) WHERE receipt_id IS NULL;

-- ---------------------------------------------------------------- failed authentication (IN-1, PV-6)

CREATE UNIQUE INDEX review_items_one_open_on_authentication ON review_items (tenant_id, connection_id)
  WHERE settled_at IS NULL AND reason = 'authentication_failures';

-- ---------------------------------------------------------------- roles

GRANT SELECT, INSERT, UPDATE ON inbox_tallies TO deadline_console, deadline_worker;
ALTER TABLE inbox_tallies ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_tenant ON inbox_tallies USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant());
