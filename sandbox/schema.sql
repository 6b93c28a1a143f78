-- The sandbox platform's own store. Applied at every start; the effect log can only grow (SB-3).

CREATE TABLE IF NOT EXISTS accounts (
  id text PRIMARY KEY,
  api_key text NOT NULL CONSTRAINT one_account_per_key UNIQUE,
  profile text NOT NULL,
  webhook_url text,
  webhook_secret text,
  clock_offset_ms double precision NOT NULL DEFAULT 0,
  reminders_every_ms double precision
);

CREATE TABLE IF NOT EXISTS requests (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts,
  client_reference text,
  is_open boolean NOT NULL,
  sends_reminders boolean NOT NULL,
  expires_at timestamptz NOT NULL,
  lookup_visible_at timestamptz NOT NULL,
  document jsonb NOT NULL
);
CREATE INDEX IF NOT EXISTS requests_by_reference ON requests (account_id, client_reference);
CREATE INDEX IF NOT EXISTS open_requests_by_account ON requests (account_id, expires_at) WHERE is_open;

-- Every version that a request ever had, so that a lagging read can show an older one.
CREATE TABLE IF NOT EXISTS snapshots (
  request_id text NOT NULL REFERENCES requests,
  version integer NOT NULL,
  changed_at timestamptz NOT NULL,
  document jsonb NOT NULL,
  PRIMARY KEY (request_id, version)
);

CREATE TABLE IF NOT EXISTS idempotency_keys (
  account_id text NOT NULL REFERENCES accounts,
  key text NOT NULL,
  stored_at timestamptz NOT NULL,
  answer jsonb NOT NULL,
  PRIMARY KEY (account_id, key)
);

-- Calls that were answered with 2xx and take effect later.
CREATE TABLE IF NOT EXISTS queued_calls (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts,
  due_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  command jsonb NOT NULL
);

CREATE TABLE IF NOT EXISTS fault_rules (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts,
  -- As it was asked for; "any" stands for all of the operations beside it.
  operation text NOT NULL,
  operations text[] NOT NULL,
  fault text NOT NULL,
  parameters jsonb NOT NULL,
  occurs jsonb NOT NULL,
  seen integer NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS fault_rules_by_account ON fault_rules (account_id);

CREATE TABLE IF NOT EXISTS webhook_deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts,
  event_id text NOT NULL,
  body text NOT NULL,
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  state text NOT NULL CONSTRAINT known_delivery_state
    CHECK (state IN ('waiting', 'delivered', 'dropped', 'given_up'))
);
CREATE INDEX IF NOT EXISTS waiting_deliveries ON webhook_deliveries (due_at) WHERE state = 'waiting';

CREATE TABLE IF NOT EXISTS effects (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts,
  request_id text NOT NULL,
  client_reference text,
  kind text NOT NULL,
  value text,
  source text NOT NULL CONSTRAINT known_source CHECK (source IN ('api', 'person', 'clock')),
  -- By the account's own clock, which may be skewed.
  at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX IF NOT EXISTS effects_by_account ON effects (account_id, id);

CREATE OR REPLACE FUNCTION refuse_change_of_effects() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the effect log can only grow';
END
$$;

CREATE OR REPLACE TRIGGER effects_only_grow
  BEFORE UPDATE OR DELETE OR TRUNCATE ON effects
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_effects();

-- Somebody else's system that is told of what happened: what it was sent, and how it answers.
CREATE TABLE IF NOT EXISTS receivers (
  name text PRIMARY KEY,
  secrets text[] NOT NULL,
  status integer NOT NULL DEFAULT 200,
  delay_ms integer NOT NULL DEFAULT 0,
  location text,
  -- So many more answers are given this way, then 200; null means all.
  times integer
);

CREATE TABLE IF NOT EXISTS received_deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  receiver text NOT NULL REFERENCES receivers,
  webhook_id text NOT NULL,
  signatures integer NOT NULL,
  verified boolean NOT NULL,
  body text NOT NULL,
  answered integer NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX IF NOT EXISTS received_by_receiver ON received_deliveries (receiver, id);

-- The keys of the time-stamping authority, one row: the same authority over all starts.
CREATE TABLE IF NOT EXISTS tsa_keys (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  root text NOT NULL,
  certificate text NOT NULL,
  key text NOT NULL
);

-- Mails that were caught instead of being sent on.
CREATE TABLE IF NOT EXISTS mails (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  recipient text NOT NULL,
  message_id text NOT NULL,
  subject text NOT NULL,
  body text NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
