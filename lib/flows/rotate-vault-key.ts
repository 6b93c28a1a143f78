import { INSTALLATION } from "@/lib/domain/switch-scope";
import { recordControl } from "@/lib/store/control-events";
import { asTenant, type Database, type Tx } from "@/lib/store/db";
import {
  replaceSealed,
  SEALED_COLUMNS,
  type SealedColumn,
  sealersOf,
  valuesNotSealedBy,
} from "@/lib/store/sealed-values";
import { keysOf, seal, unseal, vaultKeyId } from "@/lib/store/vault-cipher";
import type { InstallationContext } from "./pause-all";

/** How a rotation goes on. */
interface Pace {
  /** Values of one transaction. */
  readonly batch: number;
  /** Told after each transaction. */
  readonly onBatch: (table: string, resealed: number) => void;
}

const USUAL: Pace = { batch: 200, onBatch: () => undefined };
const BEFORE_ALL = "(0,0)";

/** Values that a key sealed which is not configured: they open for nobody until it is. */
export interface UnknownSealer {
  readonly table: string;
  readonly column: string;
  readonly keyId: string;
  readonly count: number;
}

/** What is sealed by keys that this installation does not have. Empty when all of it opens. */
export async function unknownSealers(
  owner: Database,
  vaultKey: Buffer,
  columns: readonly SealedColumn[] = SEALED_COLUMNS,
): Promise<UnknownSealer[]> {
  const known = keysOf(vaultKey).map(vaultKeyId);
  const found: UnknownSealer[] = [];
  for (const one of columns) {
    const { table, column } = one;
    const sealers = await sealersOf(owner, one);
    const unknown = sealers.filter(({ keyId }) => !known.includes(keyId));
    found.push(...unknown.map((sealer) => ({ table, column, ...sealer })));
  }
  return found;
}

/**
 * Lets a process begin only with the keys that people's data need. Throws an error that names the missing ones: without
 * them every pass would fail one by one.
 */
export async function refuseMissingKeys({
  owner,
  vaultKey,
}: Pick<InstallationContext, "owner" | "vaultKey">): Promise<void> {
  const needed = SEALED_COLUMNS.filter(({ table }) => NEEDED_AT_START.includes(table));
  const unknown = await unknownSealers(owner, vaultKey, needed);
  if (unknown.length === 0) return;
  const ids = [...new Set(unknown.map(({ keyId }) => keyId))].join(", ");
  throw new Error(
    `Data in this database are sealed by the vault key ${ids}, which is not configured. ` +
      "Put it into DEADLINE_LEDGER_OLD_VAULT_KEYS, or rotate with it first.",
  );
}

const NEEDED_AT_START: readonly string[] = ["vault_subjects", "connections"];

export type Rotated =
  | { readonly kind: "refused"; readonly unknown: readonly UnknownSealer[] }
  /** `resealed` by table. Nothing needs the older keys any more. */
  | { readonly kind: "done"; readonly resealed: Readonly<Record<string, number>> };

/**
 * Seals everything anew with the vault key in use that an older one sealed (PV-3), in short transactions, while all goes
 * on working: what was done stays done, so a run that was broken off is simply made again. Digests and the history do
 * not change. Refused before anything changes when something is sealed by a key that is not configured. Beginning and
 * end are entries of the installation's history, with counts only.
 */
export async function rotateVaultKey(
  { owner, vaultKey }: InstallationContext,
  by: string,
  pace: Pace = USUAL,
): Promise<Rotated> {
  const unknown = await unknownSealers(owner, vaultKey);
  if (unknown.length > 0) return { kind: "refused", unknown };
  const key = vaultKeyId(vaultKey);
  await record(owner, by, { key, phase: "began" });
  const resealed: Record<string, number> = {};
  for (const column of SEALED_COLUMNS) {
    const count = await resealColumn(owner, vaultKey, column, pace);
    resealed[column.table] = (resealed[column.table] ?? 0) + count;
  }
  await record(owner, by, { key, phase: "ended", resealed });
  return { kind: "done", resealed };
}

function record(owner: Database, by: string, body: object): Promise<string> {
  return asTenant(owner, INSTALLATION, (tx) =>
    recordControl(tx, INSTALLATION, {
      kind: "vault_key_rotated",
      about: "installation:vault_key",
      actor: by,
      body,
    }),
  );
}

async function resealColumn(
  owner: Database,
  vaultKey: Buffer,
  column: SealedColumn,
  pace: Pace,
): Promise<number> {
  let total = 0;
  let after = BEFORE_ALL;
  for (;;) {
    const from = after;
    const step = await asTenant(owner, INSTALLATION, (tx) =>
      reseal(tx, vaultKey, column, { from, batch: pace.batch }),
    );
    if (step.last !== null) {
      total += step.count;
      after = step.last;
      pace.onBatch(column.table, step.count);
    } else if (after === BEFORE_ALL) return total;
    // Once more from the beginning: a row that was written meanwhile may lie anywhere.
    else after = BEFORE_ALL;
  }
}

async function reseal(
  tx: Tx,
  vaultKey: Buffer,
  column: SealedColumn,
  { from, batch }: { readonly from: string; readonly batch: number },
): Promise<{ readonly count: number; readonly last: string | null }> {
  const found = await valuesNotSealedBy(tx, column, vaultKeyId(vaultKey), from, batch);
  const values = found.map(({ at, sealed, parts }) => {
    const place = JSON.stringify(parts);
    return { at, sealed, resealed: seal(vaultKey, unseal(vaultKey, sealed, place), place) };
  });
  const count = values.length === 0 ? 0 : await replaceSealed(tx, column, values);
  return { count, last: found.at(-1)?.at ?? null };
}
