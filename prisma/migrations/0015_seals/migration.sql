-- Seals over the heads of chains (SM-4), the time stamps on them, checks of the history, and evidence packs (SM-6).

-- One seal covers the chains that moved since the seal before it and names that seal, so that its cost follows what
-- happened and not what is stored. `body` is the seal and `hash` is taken over it; the other columns repeat it.
CREATE TABLE seals (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  seq integer NOT NULL CHECK (seq > 0),
  made_at timestamptz NOT NULL,
  -- Every entry dated before this is under this seal or an earlier one, when the seal is complete.
  covered_until timestamptz NOT NULL,
  -- False while more chains waited than one seal takes.
  complete boolean NOT NULL,
  leaves integer NOT NULL CHECK (leaves > 0),
  -- All chains and entries of the tenant that are under this seal or an earlier one.
  chains bigint NOT NULL,
  entries bigint NOT NULL,
  root text NOT NULL,
  previous text NOT NULL,
  body text NOT NULL,
  hash text NOT NULL,
  PRIMARY KEY (tenant_id, seq)
);

-- The head of one chain as it was sealed. The Merkle tree of a seal is rebuilt from its leaves in order of op_id.
CREATE TABLE seal_leaves (
  tenant_id uuid NOT NULL,
  op_id uuid NOT NULL,
  seal_seq integer NOT NULL,
  length integer NOT NULL CHECK (length > 0),
  head text NOT NULL,
  PRIMARY KEY (tenant_id, op_id, seal_seq),
  FOREIGN KEY (tenant_id, seal_seq) REFERENCES seals (tenant_id, seq)
);
CREATE INDEX seal_leaves_by_seal ON seal_leaves (tenant_id, seal_seq, op_id);

-- The answer of a time-stamping authority (RFC 3161) about the hash of a seal, checked before it is kept.
CREATE TABLE seal_stamps (
  tenant_id uuid NOT NULL,
  seal_seq integer NOT NULL,
  authority text NOT NULL,
  stamped_at timestamptz NOT NULL,
  token bytea NOT NULL,
  received_at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (tenant_id, seal_seq),
  FOREIGN KEY (tenant_id, seal_seq) REFERENCES seals (tenant_id, seq)
);

-- A check of the history that somebody asked for, or the daily one.
CREATE TABLE history_checks (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  id uuid NOT NULL,
  -- Canonical text: {"kind":"all"}, {"kind":"request","ref":…}, {"kind":"period","from":…,"to":…}.
  scope text NOT NULL,
  asked_by text NOT NULL,
  asked_at timestamptz NOT NULL DEFAULT ledger_now(),
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done', 'failed')),
  -- A worker that took the check has it to itself until then.
  taken_until timestamptz,
  takes integer NOT NULL DEFAULT 0,
  chains bigint NOT NULL DEFAULT 0,
  entries bigint NOT NULL DEFAULT 0,
  seals integer NOT NULL DEFAULT 0,
  findings integer NOT NULL DEFAULT 0,
  finished_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT history_checks_end_is_whole CHECK ((state IN ('done', 'failed')) = (finished_at IS NOT NULL))
);
CREATE INDEX history_checks_waiting ON history_checks (asked_at, id) WHERE state IN ('waiting', 'running');
CREATE INDEX history_checks_newest ON history_checks (tenant_id, asked_at DESC, id DESC);

CREATE TABLE history_findings (
  tenant_id uuid NOT NULL,
  check_id uuid NOT NULL,
  place integer NOT NULL,
  -- Null for a finding about a seal.
  op_id uuid,
  entry integer,
  seal_seq integer,
  fault text NOT NULL CHECK (fault IN ('changed', 'missing', 'inserted', 'reordered')),
  detail text NOT NULL,
  expected text,
  found text,
  PRIMARY KEY (tenant_id, check_id, place),
  FOREIGN KEY (tenant_id, check_id) REFERENCES history_checks (tenant_id, id)
);

-- An evidence pack that somebody asked for; a worker makes it. Its bytes lie in the database, so that any web process
-- gives them out and row-level security holds for them too.
CREATE TABLE packs (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  id uuid NOT NULL,
  -- Canonical text: {"kind":"request","ref":…}, {"kind":"operation","op":…}, {"kind":"period","from":…,"to":…}.
  scope text NOT NULL,
  asked_by text NOT NULL,
  asked_at timestamptz NOT NULL DEFAULT ledger_now(),
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'making', 'ready', 'failed')),
  taken_until timestamptz,
  takes integer NOT NULL DEFAULT 0,
  -- How many operations are in it so far.
  operations integer NOT NULL DEFAULT 0,
  entries bigint NOT NULL DEFAULT 0,
  bytes bigint,
  sha256 text,
  finished_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT packs_end_is_whole CHECK ((state IN ('ready', 'failed')) = (finished_at IS NOT NULL)),
  CONSTRAINT packs_ready_is_whole CHECK ((state = 'ready') = (sha256 IS NOT NULL AND bytes IS NOT NULL))
);
CREATE INDEX packs_waiting ON packs (asked_at, id) WHERE state IN ('waiting', 'making');
CREATE INDEX packs_newest ON packs (tenant_id, asked_at DESC, id DESC);

-- `take` is the number of the attempt that wrote the piece: pieces of an attempt that lost its lease are never read.
CREATE TABLE pack_chunks (
  tenant_id uuid NOT NULL,
  pack_id uuid NOT NULL,
  take integer NOT NULL,
  place integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (tenant_id, pack_id, take, place),
  FOREIGN KEY (tenant_id, pack_id) REFERENCES packs (tenant_id, id)
);
-- The bytes are compressed already.
ALTER TABLE pack_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- History by time, for exports, packs of a period and the list of entries.
CREATE INDEX operation_events_by_time ON operation_events (tenant_id, at DESC, op_id DESC, seq DESC);

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['seals', 'seal_leaves', 'seal_stamps'] LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION refuse_change()',
      t || '_append_only', t);
    EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
      t || '_no_truncate', t);
  END LOOP;
  FOREACH t IN ARRAY ARRAY['seals', 'seal_leaves', 'seal_stamps', 'history_checks', 'history_findings', 'packs',
    'pack_chunks'] LOOP
    EXECUTE format('GRANT SELECT ON %I TO deadline_console, deadline_worker', t);
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_tenant ON %I USING (tenant_id = current_tenant())
      WITH CHECK (tenant_id = current_tenant())', t);
  END LOOP;
END $$;

GRANT INSERT ON seals, seal_leaves, seal_stamps, history_findings, pack_chunks TO deadline_worker;
GRANT INSERT, UPDATE ON history_checks TO deadline_worker;
GRANT UPDATE ON packs TO deadline_worker;
GRANT DELETE ON history_findings, pack_chunks TO deadline_worker;
GRANT INSERT ON history_checks, packs TO deadline_console;
