-- Timers and replacements: operations that are carried by the approval of another one.

ALTER TABLE operations
  -- The operation whose approval carries this one (AP-3): the send or extension that brought a timer's plan, or the
  -- replacement that a void makes room for (ID-7). Null for what people approved by itself.
  ADD COLUMN approved_with_op_id uuid,
  ADD FOREIGN KEY (tenant_id, approved_with_op_id) REFERENCES operations (tenant_id, op_id);

-- Events about a request that was replaced still find their place.
CREATE INDEX operations_by_platform_ref ON operations (tenant_id, connection_id, platform_ref)
  WHERE platform_ref IS NOT NULL;
-- Approved extensions and replacements that came to nothing: timers that they replaced may have to be planned again.
CREATE INDEX operations_ended_for_nothing ON operations (changed_at)
  WHERE kind IN ('extend', 'send') AND state IN ('obsolete', 'failed_terminal') AND approved_at IS NOT NULL;
-- RM-4: reminders that are due, of which a later one of the same plan may be due too.
CREATE INDEX operations_due_reminders ON operations (due_at, tenant_id, op_id)
  WHERE state = 'scheduled' AND kind = 'remind' AND plan_id IS NOT NULL;

-- A replacement has the signers that were approved with it (ID-7).
GRANT INSERT, DELETE ON request_signers TO deadline_worker;
