import { type CapabilityDescriptor, CapabilityDescriptorSchema } from "@/lib/domain/capability";
import { type CapabilityChange, capabilityChanges } from "@/lib/domain/capability-changes";
import {
  CONNECTION_ACTS,
  type ConnectionAct,
  connectionActSentence,
} from "@/lib/domain/connection-acts";
import { asTenant, type Database, ledgerNow, type Tx } from "@/lib/store/db";
import { type ConnectionFacts, connectionsOf, type Opener } from "./connections-page";
import { type RefusalCount, refusalsOf } from "./inbox-strip";
import { type Person, personsOf } from "./persons";

export interface ConnectionActEntry {
  readonly id: string;
  readonly at: string;
  readonly by: Person | null;
  readonly sentence: string;
}

export interface ConnectionPage {
  readonly now: string;
  readonly connection: ConnectionFacts;
  /** Events of the last 24 hours by the secret that signed them, so that one sees which secret is in use. */
  readonly signed: Readonly<Record<string, number>>;
  /** Deliveries of the last 24 hours that failed authentication, by cause. */
  readonly refusals: readonly RefusalCount[];
  /** Who changed what, the newest first. */
  readonly acts: readonly ConnectionActEntry[];
}

/** One connection with what people did to it; null when the tenant has none of that id. */
export async function connectionPage(
  ctx: Opener,
  tenantId: string,
  viewer: string,
  id: string,
): Promise<ConnectionPage | null> {
  return asTenant(ctx.db, tenantId, async (tx) => {
    const [connection] = await connectionsOf(tx, ctx.vaultKey, tenantId, id);
    if (!connection) return null;
    const refusals = await refusalsOf(tx, tenantId);
    return {
      now: (await ledgerNow(tx)).toISOString(),
      connection,
      signed: await signedOf(tx, tenantId, id),
      refusals: refusals.filter((one) => one.connection === connection.name),
      acts: await actsOf(tx, tenantId, viewer, id),
    };
  });
}

export interface CapabilitiesPage {
  readonly id: string;
  readonly name: string;
  readonly descriptor: CapabilityDescriptor;
  /** Who changed what the platform is said to promise, the newest first. */
  readonly changes: readonly CapabilityChangeEntry[];
}

export interface CapabilityChangeEntry {
  readonly id: string;
  readonly at: string;
  readonly by: Person | null;
  /** Null where the record holds no descriptor that this release understands. */
  readonly fields: readonly CapabilityChange[] | null;
}

/** What the platform of a connection promises (PL-2); null when the tenant has none of that id. */
export async function capabilitiesPage(
  db: Database,
  tenantId: string,
  viewer: string,
  id: string,
): Promise<CapabilitiesPage | null> {
  return asTenant(db, tenantId, async (tx) => {
    const row = await tx.connection.findUnique({
      where: { tenantId_id: { tenantId, id } },
      select: { id: true, name: true, descriptor: true },
    });
    if (!row) return null;
    const descriptor = CapabilityDescriptorSchema.parse(JSON.parse(row.descriptor));
    const changes = await changesOf(tx, tenantId, viewer, id);
    return { id: row.id, name: row.name, descriptor, changes };
  });
}

async function signedOf(
  tx: Tx,
  tenantId: string,
  connectionId: string,
): Promise<Record<string, number>> {
  const rows = await tx.$queryRaw<{ key: string; count: number }[]>`
    SELECT key_id AS key, count(*)::integer AS count FROM inbox_events
    WHERE tenant_id = ${tenantId}::uuid AND connection_id = ${connectionId}::uuid AND source = 'webhook'
      AND received_at > ledger_now() - interval '24 hours'
    GROUP BY key_id`;
  return Object.fromEntries(rows.map(({ key, count }) => [key, count]));
}

const ACTS_SHOWN = 50;

async function actsOf(
  tx: Tx,
  tenantId: string,
  viewer: string,
  id: string,
): Promise<ConnectionActEntry[]> {
  const entries = await entriesAbout(tx, tenantId, viewer, { id, kinds: CONNECTION_ACTS });
  return entries.map(({ kind, body, ...entry }) => ({
    ...entry,
    sentence: connectionActSentence(kind as ConnectionAct, body),
  }));
}

async function changesOf(
  tx: Tx,
  tenantId: string,
  viewer: string,
  id: string,
): Promise<CapabilityChangeEntry[]> {
  const kinds = ["capabilities_changed"];
  const entries = await entriesAbout(tx, tenantId, viewer, { id, kinds });
  return entries.map(({ id: entry, at, by, body }) => ({
    id: entry,
    at,
    by,
    fields: capabilityChanges(body.before, body.after),
  }));
}

/** The newest entries of these kinds about a connection. */
async function entriesAbout(
  tx: Tx,
  tenantId: string,
  viewer: string,
  { id, kinds }: { readonly id: string; readonly kinds: readonly string[] },
) {
  const rows = await tx.controlEvent.findMany({
    where: { tenantId, about: `connection:${id}`, kind: { in: [...kinds] } },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: ACTS_SHOWN,
    select: { id: true, at: true, actor: true, kind: true, body: true },
  });
  const names = rows.map(({ actor }) => actor);
  const persons = await personsOf(tx, tenantId, names, viewer);
  return rows.map(({ at, actor, body, ...row }) => ({
    ...row,
    at: at.toISOString(),
    by: persons.get(actor) ?? null,
    body: JSON.parse(body) as Readonly<Record<string, unknown>>,
  }));
}
