-- What those who operate the ledger look at (OP-1, OP-2).

-- What a worker says of its own last minutes with each heartbeat, as JSON of numbers.
ALTER TABLE workers ADD COLUMN figures text NOT NULL DEFAULT '{}';

-- How long unknown operations took to settle, the newest first.
CREATE INDEX operations_resolved ON operations (tenant_id, changed_at DESC)
  WHERE unknown_since IS NOT NULL AND state IN ('done', 'obsolete', 'superseded', 'failed_terminal');

-- Readiness compares what is applied with what the build brings.
GRANT SELECT (migration_name, finished_at, rolled_back_at) ON _prisma_migrations TO deadline_console, deadline_worker;
