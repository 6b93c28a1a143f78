-- The list of who did what (screens: History): newest first, over everything that people and programs did in a tenant.

-- What people did is a small part of the history; processes write the rest, and nobody asks for one of them.
CREATE INDEX operation_events_by_person ON operation_events (tenant_id, actor, at DESC, op_id DESC, seq DESC)
  WHERE actor LIKE 'user:%';
CREATE INDEX vault_reads_newest ON vault_reads (tenant_id, at DESC, id DESC);
CREATE INDEX inbox_acts_newest ON inbox_acts (tenant_id, at DESC, id DESC);
CREATE INDEX review_acts_newest ON review_acts (tenant_id, at DESC, item_id DESC, seq DESC)
  WHERE actor LIKE 'account:%';
CREATE INDEX sessions_newest ON sessions (account_id, created_at DESC, id DESC);

-- What operators did beside the operations themselves, in one shape. It runs with the rights of whoever asks, so that
-- row-level security holds for each of its tables; sessions belong to no tenant and are seen through the membership.
CREATE VIEW operator_entries WITH (security_invoker = true) AS
  SELECT tenant_id, at, id, 0 AS seq, actor, kind AS action, about, NULL::text AS reason FROM control_events
  UNION ALL
  SELECT tenant_id, at, id, 0, actor, 'contact_revealed', 'subject:' || subject_ref, purpose FROM vault_reads
  UNION ALL
  SELECT tenant_id, at, id, 0, actor, CASE act WHEN 'raw_shown' THEN 'raw_revealed' ELSE 'event_replayed' END,
    'event:' || inbox_id, result FROM inbox_acts
  UNION ALL
  SELECT tenant_id, at, item_id, seq, 'user:' || substr(actor, 9), 'review_' || act, 'review:' || item_id,
    detail ->> 'outcome' FROM review_acts WHERE actor LIKE 'account:%'
  UNION ALL
  SELECT m.tenant_id, s.created_at, s.id, 0, 'user:' || s.account_id, 'signed_in', 'account:' || s.account_id, NULL
  FROM sessions s JOIN memberships m ON m.account_id = s.account_id
  WHERE m.tenant_id = current_tenant();
GRANT SELECT ON operator_entries TO deadline_console;
