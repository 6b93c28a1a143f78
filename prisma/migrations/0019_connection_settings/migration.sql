-- What admins set on a connection in the console: which webhook secrets are active, and how its platform is polled.

ALTER TABLE connections
  -- When the platform's credential was last put in place (PL-1); the console may know this and never the credential.
  ADD COLUMN credentials_set_at timestamptz NOT NULL DEFAULT ledger_now();
UPDATE connections SET credentials_set_at = created_at;

CREATE FUNCTION connections_date_credentials() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.credentials_set_at := ledger_now();
  RETURN NEW;
END $$;
CREATE TRIGGER connections_credentials BEFORE UPDATE OF api_key_sealed ON connections
  FOR EACH ROW WHEN (NEW.api_key_sealed IS DISTINCT FROM OLD.api_key_sealed)
  EXECUTE FUNCTION connections_date_credentials();
ALTER TABLE connections ENABLE ALWAYS TRIGGER connections_credentials;

GRANT SELECT (credentials_set_at) ON connections TO deadline_console;
-- IN-1, IN-7: secrets of deliveries and polling; neither address nor credential nor descriptor.
GRANT UPDATE (webhook_secrets_sealed, polling, silent_after_ms) ON connections TO deadline_console;
