-- Sign-in through an OpenID provider beside local accounts (PV-1).

-- Whom a provider means by a subject. The subject itself may be an address at some providers, so only a keyed hash of
-- it stands here (PV-4). An account has at most one identity at a provider.
CREATE TABLE account_identities (
  issuer text NOT NULL,
  subject_mark text NOT NULL,
  account_id uuid NOT NULL REFERENCES accounts (id),
  linked_at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (issuer, subject_mark),
  UNIQUE (issuer, account_id)
);

-- A session that a provider vouched for: its tokens (sealed), when it was asked last, and when it last said yes.
ALTER TABLE sessions
  ADD COLUMN issuer text,
  ADD COLUMN subject_mark text,
  ADD COLUMN provider_session_mark text,
  ADD COLUMN provider_tokens text,
  ADD COLUMN provider_asked_at timestamptz,
  ADD COLUMN provider_confirmed_at timestamptz,
  ADD CONSTRAINT sessions_provider_whole CHECK (
    num_nulls(issuer, subject_mark, provider_tokens, provider_asked_at, provider_confirmed_at) IN (0, 5)),
  ADD FOREIGN KEY (issuer, subject_mark) REFERENCES account_identities (issuer, subject_mark);
CREATE INDEX sessions_by_identity ON sessions (issuer, subject_mark) WHERE revoked_at IS NULL;

GRANT SELECT, INSERT ON account_identities TO deadline_console;
