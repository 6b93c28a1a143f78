import { rateAfter } from "@/lib/domain/ramp";
import { INSTALLATION, type SwitchScope } from "@/lib/domain/switch-scope";
import { asTenant, type Database, type Tx } from "@/lib/store/db";
import { switchReason } from "./switch-reasons";

/** What reading switches needs: the reasons that people typed are in the vault. */
export interface VaultReader {
  readonly db: Database;
  readonly vaultKey: Buffer;
}

/** One switch that holds new starts of a tenant now. */
export interface ActiveSwitch {
  readonly id: string;
  readonly scope: SwitchScope;
  /** Name of the connection, or the kind; null for wider scopes. */
  readonly name: string | null;
  readonly connectionId: string | null;
  readonly pausedBy: string;
  /** Role of the person in this tenant; null for everybody else. */
  readonly role: string | null;
  readonly since: Date;
  readonly reason: string | null;
  readonly reviewAt: Date | null;
  readonly resumeAskedBy: string | null;
}

interface Found extends Omit<ActiveSwitch, "reason"> {
  readonly reasonEntry: string | null;
  readonly reasonCode: string | null;
}

const WIDTH: Record<SwitchScope, number> = { all: 0, tenant: 1, connection: 2, kind: 3 };

/** The switches that hold now, widest scope first, each with its reason. Opens transactions of its own. */
export async function activeSwitches(
  reader: VaultReader,
  tenantId: string,
): Promise<readonly ActiveSwitch[]> {
  const found = await asTenant(reader.db, tenantId, async (tx) => {
    const rows = await switchesOf(tx, tenantId);
    return Promise.all(
      rows.map(async (row) => ({
        ...row,
        reason: row.scope === "all" ? null : await reasonOf(tx, reader, tenantId, row),
      })),
    );
  });
  const complete = await Promise.all(found.map((row) => withOperatorsReason(reader, row)));
  return complete.sort(
    (left, right) =>
      WIDTH[left.scope] - WIDTH[right.scope] || left.since.getTime() - right.since.getTime(),
  );
}

function reasonOf(tx: Tx, { vaultKey }: VaultReader, tenantId: string, row: Found) {
  return switchReason(tx, { tenantId, vaultKey }, row);
}

/** A switch over all tenants has its reason in the installation's own vault. */
async function withOperatorsReason<Row extends Found & { reason: string | null }>(
  reader: VaultReader,
  row: Row,
): Promise<Row> {
  if (row.scope !== "all") return row;
  const reason = await asTenant(reader.db, INSTALLATION, (tx) =>
    reasonOf(tx, reader, INSTALLATION, row),
  );
  return { ...row, reason };
}

/** A connection that was stopped without a switch is named too: what holds is shown. */
function switchesOf(tx: Tx, tenantId: string): Promise<Found[]> {
  return tx.$queryRaw<Found[]>`
    SELECT p.id, p.scope, coalesce(c.name, p.kind) AS name, p.connection_id AS "connectionId",
      p.paused_by AS "pausedBy", m.role, p.paused_at AS since, p.review_at AS "reviewAt",
      p.resume_asked_by AS "resumeAskedBy", p.reason_entry AS "reasonEntry", p.reason_code AS "reasonCode"
    FROM pauses p
    LEFT JOIN connections c ON c.tenant_id = p.tenant_id AND c.id = p.connection_id
    LEFT JOIN memberships m ON m.tenant_id = ${tenantId}::uuid AND 'user:' || m.account_id = p.paused_by
    WHERE p.resumed_at IS NULL
      AND (p.tenant_id = ${tenantId}::uuid OR p.tenant_id = ${INSTALLATION}::uuid AND p.scope = 'all')
    UNION ALL
    SELECT c.id, 'connection', c.name, c.id, 'system:connection', NULL, c.paused_at, NULL, NULL, NULL, c.paused_reason
    FROM connections c
    WHERE c.tenant_id = ${tenantId}::uuid AND c.paused_at IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM pauses p
      WHERE p.tenant_id = c.tenant_id AND p.connection_id = c.id AND p.resumed_at IS NULL)`;
}

/** One ramp after a resume. */
export interface RunningRamp {
  readonly id: string;
  readonly scope: SwitchScope;
  readonly name: string | null;
  readonly since: string;
  /** Of those that were held and may start, how many have. */
  readonly started: number;
  readonly total: number;
  /** Starts per minute at this moment. */
  readonly rate: number;
}

interface RampFound extends Omit<RunningRamp, "since" | "rate"> {
  readonly since: Date;
  readonly perMinute: number;
  readonly minutes: number;
  readonly waiting: number;
}

/** The ramps that limit new starts of the tenant now. */
export async function runningRamps(tx: Tx, tenantId: string): Promise<readonly RunningRamp[]> {
  const rows = await tx.$queryRaw<RampFound[]>`
    SELECT p.id, p.scope, coalesce(c.name, p.kind) AS name, p.resumed_at AS since,
      p.ramp_per_minute AS "perMinute", p.ramp_total AS total,
      extract(epoch FROM ledger_now() - p.resumed_at)::float8 / 60 AS minutes,
      (SELECT count(DISTINCT a.op_id) FROM attempts a
        JOIN operations o ON o.tenant_id = a.tenant_id AND o.op_id = a.op_id
        WHERE a.tenant_id = ${tenantId}::uuid AND a.intent_at >= p.resumed_at AND o.approved_at <= p.resumed_at
          AND is_held(ARRAY[coalesce(p.kind, p.connection_id::text, p.scope)], o.connection_id, o.kind)
        )::integer AS started,
      (SELECT count(*) FROM operations o
        WHERE p.scope = 'all' AND o.tenant_id = ${tenantId}::uuid AND o.state IN ('scheduled', 'claimed')
          AND o.due_at <= ledger_now() AND o.approved_at <= p.resumed_at)::integer AS waiting
    FROM pauses p LEFT JOIN connections c ON c.tenant_id = p.tenant_id AND c.id = p.connection_id
    WHERE p.resumed_at IS NOT NULL AND p.ramp_per_minute IS NOT NULL AND p.ramp_ended_at IS NULL
      AND (p.tenant_id = ${tenantId}::uuid OR p.tenant_id = ${INSTALLATION}::uuid AND p.scope = 'all')
    ORDER BY p.resumed_at`;
  return rows.map(({ since, perMinute, minutes, waiting, ...ramp }) => ({
    ...ramp,
    // The ramp of a switch over all tenants counted all of them; a tenant is told of its own.
    total: ramp.scope === "all" ? ramp.started + waiting : Math.max(ramp.total, ramp.started),
    since: since.toISOString(),
    rate: rateAfter(perMinute, minutes),
  }));
}
