import { type ControlKind, controlSentence } from "@/lib/domain/control-words";
import { OPERATION_KINDS, type OperationKind } from "@/lib/domain/operation";
import { INSTALLATION, type SwitchScope, scopeWords } from "@/lib/domain/switch-scope";
import { asTenant, ledgerNow, type Tx } from "@/lib/store/db";
import { type Mode, modesOf } from "@/lib/store/modes";
import { type Person, personsOf } from "./persons";
import { pausedByWords } from "./pulse";
import {
  type ActiveSwitch,
  activeSwitches,
  type RunningRamp,
  runningRamps,
  type VaultReader,
} from "./switches";

export interface HeldCount {
  readonly kind: string;
  /** `scheduled` is held; the others were under way and finish. */
  readonly state: "scheduled" | "claimed" | "submitting" | "needs_reconcile" | "reconciling";
  readonly count: number;
}

export interface SwitchView {
  readonly id: string;
  readonly scope: SwitchScope;
  readonly words: string;
  readonly since: string;
  readonly by: string;
  readonly reason: string | null;
  readonly reviewAt: string | null;
  readonly askedToResume: boolean;
  readonly held: readonly HeldCount[];
  /** The last start within its scope, up to an hour before; null when there was none. */
  readonly lastStart: { readonly at: string; readonly afterMs: number } | null;
  readonly workers: {
    readonly confirmed: number;
    readonly total: number;
    /** When the last lease within the scope ends that a worker holds which has not confirmed; null without one. */
    readonly leasesEndAt: string | null;
  };
}

export interface ModeView {
  readonly kind: OperationKind;
  readonly mode: Mode;
  readonly changedBy: Person | null;
  readonly changedAt: string | null;
  /** Somebody asked for live and another person has to answer; null when nothing is open. */
  readonly asked: { readonly id: string; readonly by: Person; readonly at: string } | null;
  /** What shadow mode has compared so far. */
  readonly compared: { readonly same: number; readonly different: number; readonly all: number };
}

export interface ControlEntry {
  readonly id: string;
  readonly at: string;
  readonly by: Person;
  readonly sentence: string;
}

export interface ControlsPage {
  readonly now: string;
  readonly switches: readonly SwitchView[];
  readonly ramps: readonly RunningRamp[];
  readonly modes: readonly ModeView[];
  readonly log: readonly ControlEntry[];
}

const LOG_SIZE = 50;

/** What may run at all in a tenant, and who changed that (BL-6, GO-1). */
export async function controlsPage(
  reader: VaultReader,
  tenantId: string,
  viewerAccountId: string,
): Promise<ControlsPage> {
  const switches = await activeSwitches(reader, tenantId);
  return asTenant(reader.db, tenantId, async (tx) => ({
    now: (await ledgerNow(tx)).toISOString(),
    switches: await Promise.all(switches.map((one) => switchView(tx, tenantId, one))),
    ramps: await runningRamps(tx, tenantId),
    modes: await modeViews(tx, tenantId, viewerAccountId),
    log: await logOf(tx, tenantId, viewerAccountId),
  }));
}

async function switchView(tx: Tx, tenantId: string, found: ActiveSwitch): Promise<SwitchView> {
  const { id, scope, name, since } = found;
  const key = scope === "connection" ? found.connectionId : (name ?? scope);
  return {
    id,
    scope,
    words: scopeWords(scope, name),
    since: since.toISOString(),
    by: pausedByWords(found),
    reason: found.reason,
    reviewAt: found.reviewAt?.toISOString() ?? null,
    askedToResume: found.resumeAskedBy !== null,
    held: await heldOf(tx, tenantId, key ?? scope),
    lastStart: await lastStartOf(tx, tenantId, key ?? scope, since),
    workers: await confirmationsOf(tx, tenantId, key ?? scope, since),
  };
}

function heldOf(tx: Tx, tenantId: string, key: string): Promise<HeldCount[]> {
  return tx.$queryRaw<HeldCount[]>`
    SELECT kind, state, count(*)::integer AS count FROM operations
    WHERE tenant_id = ${tenantId}::uuid AND is_held(ARRAY[${key}::text], connection_id, kind)
      AND state IN ('scheduled', 'claimed', 'submitting', 'needs_reconcile', 'reconciling')
    GROUP BY kind, state ORDER BY kind, state`;
}

async function lastStartOf(tx: Tx, tenantId: string, key: string, since: Date) {
  const [row] = await tx.$queryRaw<{ at: Date | null }[]>`
    SELECT max(a.intent_at) AS at
    FROM attempts a JOIN operations o ON o.tenant_id = a.tenant_id AND o.op_id = a.op_id
    WHERE a.tenant_id = ${tenantId}::uuid AND a.intent_at > ${since}::timestamptz - interval '1 hour'
      AND is_held(ARRAY[${key}::text], o.connection_id, o.kind)`;
  if (!row?.at) return null;
  return { at: row.at.toISOString(), afterMs: row.at.getTime() - since.getTime() };
}

/** A worker that began after the switch found it in the database. */
async function confirmationsOf(tx: Tx, tenantId: string, key: string, since: Date) {
  const [row] = await tx.$queryRaw<
    { confirmed: number; total: number; leasesEndAt: Date | null }[]
  >`
    WITH alive AS MATERIALIZED (
      SELECT id, coalesce(controls_seen_at >= ${since}, false) OR started_at >= ${since} AS seen FROM workers
      WHERE stopped_at IS NULL AND heartbeat_at > ledger_now() - interval '30 seconds'
    )
    SELECT count(*) FILTER (WHERE seen)::integer AS confirmed, count(*)::integer AS total, (
      SELECT max(o.lease_until) FROM operations o JOIN alive w ON w.id = o.lease_owner AND NOT w.seen
      WHERE o.tenant_id = ${tenantId}::uuid AND is_held(ARRAY[${key}::text], o.connection_id, o.kind)) AS "leasesEndAt"
    FROM alive`;
  const { confirmed = 0, total = 0, leasesEndAt = null } = row ?? {};
  return { confirmed, total, leasesEndAt: leasesEndAt?.toISOString() ?? null };
}

interface AskFound {
  readonly id: string;
  readonly about: string;
  readonly actor: string;
  readonly at: Date;
}

async function modeViews(tx: Tx, tenantId: string, viewer: string): Promise<readonly ModeView[]> {
  const set = new Map((await modesOf(tx, tenantId)).map((row) => [row.kind, row]));
  const asks = new Map((await openAsks(tx, tenantId)).map((ask) => [ask.about, ask]));
  const compared = await comparedByKind(tx, tenantId);
  const names = [...set.values()].map(({ changedBy }) => changedBy);
  const asking = [...asks.values()].map(({ actor }) => actor);
  const persons = await personsOf(tx, tenantId, [...names, ...asking], viewer);
  return OPERATION_KINDS.map((kind) => {
    const row = set.get(kind);
    const ask = asks.get(`kind:${kind}`);
    return {
      kind,
      mode: row?.mode ?? "off",
      changedBy: (row && persons.get(row.changedBy)) ?? null,
      changedAt: row?.changedAt.toISOString() ?? null,
      asked: ask
        ? { id: ask.id, by: persons.get(ask.actor) as Person, at: ask.at.toISOString() }
        : null,
      compared: compared.get(kind) ?? { same: 0, different: 0, all: 0 },
    };
  });
}

function openAsks(tx: Tx, tenantId: string): Promise<AskFound[]> {
  return tx.$queryRaw<AskFound[]>`
    SELECT id, about, actor, at FROM (
      SELECT DISTINCT ON (about) id, about, actor, at, kind FROM control_events
      WHERE tenant_id = ${tenantId}::uuid AND kind IN ('mode_asked', 'mode_changed')
      ORDER BY about, at DESC, id DESC) newest
    WHERE kind = 'mode_asked'`;
}

async function comparedByKind(tx: Tx, tenantId: string) {
  const rows = await tx.$queryRaw<{ kind: string; same: number; different: number; all: number }[]>`
    SELECT kind, count(*) FILTER (WHERE comparison = 'same')::integer AS same,
      count(*) FILTER (WHERE comparison = 'different')::integer AS different, count(*)::integer AS "all"
    FROM shadow_records WHERE tenant_id = ${tenantId}::uuid AND state = 'compared' GROUP BY kind`;
  return new Map(rows.map(({ kind, ...figures }) => [kind, figures]));
}

async function logOf(tx: Tx, tenantId: string, viewer: string): Promise<readonly ControlEntry[]> {
  const rows = await tx.controlEvent.findMany({
    // What concerns subscribers and the settings of connections stands on their own pages.
    where: {
      tenantId,
      NOT: ["subscriber:", "connection:", "history:"].map((startsWith) => ({
        about: { startsWith },
      })),
    },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: LOG_SIZE,
  });
  const names = rows.map(({ actor }) => actor);
  const persons = await personsOf(tx, tenantId, names, viewer);
  const switches = await scopesOf(tx, tenantId);
  return rows.map(({ id, at, actor, kind, about, body }) => ({
    id,
    at: at.toISOString(),
    by: persons.get(actor) as Person,
    sentence: controlSentence(kind as ControlKind, {
      about: switches.get(about) ?? about.replace("kind:", ""),
      body: JSON.parse(body) as Record<string, unknown>,
    }),
  }));
}

/** The words of every switch's scope, by what the record of controls calls it. */
async function scopesOf(tx: Tx, tenantId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.$queryRaw<{ id: string; scope: SwitchScope; name: string | null }[]>`
    SELECT p.id, p.scope, coalesce(c.name, p.kind) AS name FROM pauses p
    LEFT JOIN connections c ON c.tenant_id = p.tenant_id AND c.id = p.connection_id
    WHERE p.tenant_id = ${tenantId}::uuid AND p.tenant_id <> ${INSTALLATION}::uuid`;
  return new Map(rows.map(({ id, scope, name }) => [`switch:${id}`, scopeWords(scope, name)]));
}
