-- Who belongs to a tenant is changed in the console (PV-1): by its admins, within their tenant, and nowhere else.

-- When somebody was last seen, told at most every few minutes.
ALTER TABLE memberships ADD COLUMN last_seen_at timestamptz;
ALTER TABLE sessions ADD COLUMN last_seen_at timestamptz;

-- Ends a password that an admin handed over; null for one that its owner chose.
ALTER TABLE accounts ADD COLUMN password_until timestamptz;

-- A person sees their own memberships everywhere, but writing stays within the tenant that is looked at.
DROP POLICY one_tenant_or_own ON memberships;
CREATE POLICY one_tenant_or_own ON memberships FOR SELECT
  USING (tenant_id = current_tenant() OR account_id = current_account());
CREATE POLICY added_in_one_tenant ON memberships FOR INSERT WITH CHECK (tenant_id = current_tenant());
CREATE POLICY changed_in_one_tenant ON memberships FOR UPDATE
  USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant());

GRANT INSERT (tenant_id, account_id, role), UPDATE (role, removed_at, last_seen_at) ON memberships TO deadline_console;
GRANT INSERT (id, login, password_hash, password_until), UPDATE (password_hash, password_until) ON accounts
  TO deadline_console;

-- Approvals of one person behind what waits to start.
CREATE INDEX approvals_by_account ON approvals (tenant_id, account_id) WHERE revoked_at IS NULL;
