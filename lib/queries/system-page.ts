import { z } from "zod";
import { alertPast, type SystemGroup } from "@/lib/domain/system-fact";
import { ZONE_DATA_VERSION } from "@/lib/domain/zone";
import { noticeBacklog, outboxBacklog, reviewBacklog } from "@/lib/store/backlog-figures";
import { asTenant, type Database, ledgerNow, type Tx } from "@/lib/store/db";
import { sealAgeSeconds } from "@/lib/store/machine-figures";
import { appliedMigrations } from "@/lib/store/migrations";
import { dueOperations, openOperations, scheduledOperations } from "@/lib/store/operation-figures";
import { proofFigures } from "@/lib/store/proof-figures";
import { type ReadForecast, readForecast } from "@/lib/store/read-budget";
import { resolveTimes, unknownShare } from "@/lib/store/unknown-figures";
import { inboxFigures } from "./inbox-figures";
import { inboxFacts, outboxFacts, peopleFacts, proofFacts } from "./system-edges";
import { queueFacts, stateFacts, unknownFacts } from "./system-facts";
import { listWorkers, type WorkerRow } from "./workers";

/** A heartbeat of an older build may say less. */
const PaceSchema = z.object({
  claims: z.number().default(0),
  conflicts: z.number().default(0),
  claimP95Ms: z.number().nullable().default(null),
  lagMs: z.number().nullable().default(null),
});

export interface WorkerView {
  readonly id: string;
  readonly name: string;
  readonly state: "alive" | "late" | "dead" | "draining" | "stopped";
  readonly heartbeatAt: string;
  readonly silentMs: number;
  readonly inHand: number;
  /** How late its process got to what it had to do, at worst, since the beat before; null when it did not say. */
  readonly lagMs: number | null;
  readonly claimP95Ms: number | null;
  readonly conflicts: number;
  readonly build: string;
}

export interface ClockView {
  /** `database`, `console` or the name of a connection. */
  readonly name: string;
  /** Ahead of the database when positive; null where it was never measured. */
  readonly skewMs: number | null;
  readonly measuredAt: string | null;
  readonly late: boolean;
}

export interface SystemPage {
  readonly now: string;
  readonly workers: readonly WorkerView[];
  readonly groups: readonly SystemGroup[];
  readonly reads: readonly (Omit<ReadForecast, "freeAt"> & { readonly freeAt: string | null })[];
  readonly clocks: readonly ClockView[];
  readonly versions: readonly { readonly name: string; readonly version: string }[];
}

/** Whether the machinery is well, as far as one tenant may see it: workers are the installation's, rows the tenant's. */
export async function systemPage(
  db: Database,
  tenantId: string,
  build: string,
): Promise<SystemPage> {
  return asTenant(db, tenantId, async (tx) => {
    const askedMs = Date.now();
    const now = await ledgerNow(tx);
    const console = Math.round((askedMs + Date.now()) / 2 - now.getTime());
    const workers = (await listWorkers(tx)).map(workerView);
    return {
      now: now.toISOString(),
      workers,
      groups: await groupsOf(tx, tenantId, workers),
      reads: (await readForecast(tx, tenantId)).map(({ freeAt, ...row }) => ({
        ...row,
        freeAt: freeAt?.toISOString() ?? null,
      })),
      clocks: [
        clock("database", 0, now),
        clock("console", console, now),
        ...(await platformClocks(tx, tenantId)),
      ],
      versions: await versionsOf(tx, build),
    };
  });
}

async function groupsOf(
  tx: Tx,
  tenantId: string,
  workers: readonly WorkerView[],
): Promise<SystemGroup[]> {
  const open = await openOperations(tx);
  const present = workers.filter(({ state }) => state !== "stopped" && state !== "dead");
  const slowest = present.flatMap(({ claimP95Ms }) => (claimP95Ms === null ? [] : [claimP95Ms]));
  const pace = {
    claimP95Ms: slowest.length === 0 ? null : Math.max(...slowest),
    conflicts: present.reduce((sum, { conflicts }) => sum + conflicts, 0),
  };
  return [
    queueFacts(await dueOperations(tx), pace),
    unknownFacts(open, await unknownShare(tx, tenantId), await resolveTimes(tx, tenantId)),
    stateFacts(open, await scheduledOperations(tx)),
    peopleFacts(await reviewBacklog(tx), await noticeBacklog(tx)),
    inboxFacts((await inboxFigures(tx)).waiting),
    outboxFacts(await outboxBacklog(tx)),
    proofFacts(await proofFigures(tx, tenantId), await sealAgeSeconds(tx)),
  ];
}

function workerView(row: WorkerRow): WorkerView {
  const pace = PaceSchema.parse(JSON.parse(row.figures));
  const { id, name, silentMs, inHand, build } = row;
  return {
    id,
    name,
    state: row.state === "alive" && row.draining ? "draining" : row.state,
    heartbeatAt: row.heartbeatAt.toISOString(),
    silentMs,
    inHand,
    lagMs: pace.lagMs,
    claimP95Ms: pace.claimP95Ms,
    conflicts: pace.conflicts,
    build,
  };
}

function clock(name: string, skewMs: number | null, measuredAt: Date | null): ClockView {
  const late = alertPast("LedgerClockSkew", skewMs === null ? null : Math.abs(skewMs) / 1000);
  return { name, skewMs, measuredAt: measuredAt?.toISOString() ?? null, late: late !== null };
}

async function platformClocks(tx: Tx, tenantId: string): Promise<ClockView[]> {
  const rows = await tx.$queryRaw<{ name: string; skew: number | null; at: Date | null }[]>`
    SELECT name, clock_skew_ms AS skew, clock_skew_at AS at FROM connections
    WHERE tenant_id = ${tenantId}::uuid ORDER BY name`;
  return rows.map(({ name, skew, at }) => clock(name, skew, at));
}

async function versionsOf(tx: Tx, build: string): Promise<SystemPage["versions"]> {
  const [row] = await tx.$queryRaw<{ version: string }[]>`
    SELECT current_setting('server_version') AS version`;
  return [
    { name: "Console", version: build },
    { name: "Node", version: process.version },
    { name: "PostgreSQL", version: row?.version ?? "unknown" },
    { name: "Schema", version: (await appliedMigrations(tx)).toSorted().at(-1) ?? "none" },
    { name: "Zone data", version: ZONE_DATA_VERSION },
  ];
}
