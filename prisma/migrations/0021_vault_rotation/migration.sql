-- The installation's vault key lies outside the database and is replaced from time to time (PV-3). What it seals is
-- sealed anew; what it only marks has a key of its own, which stays.

-- Keys of the installation, each sealed by the vault key. They belong to no tenant.
CREATE TABLE installation_keys (
  name text PRIMARY KEY CHECK (name IN ('identity_marks')),
  sealed text NOT NULL,
  made_at timestamptz NOT NULL DEFAULT ledger_now()
);
GRANT SELECT, INSERT ON installation_keys TO deadline_console;
-- Marks from before there was a key of their own are made anew at the next sign-in.
GRANT UPDATE (subject_mark) ON account_identities TO deadline_console;

-- Sealing a credential anew does not put another one in place.
CREATE OR REPLACE FUNCTION connections_date_credentials() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('deadline.resealing', true) IS DISTINCT FROM 'on' THEN
    NEW.credentials_set_at := ledger_now();
  END IF;
  RETURN NEW;
END $$;
