import type { OperationKind } from "@/lib/domain/operation";
import { ROLE_LABELS, type Role } from "@/lib/domain/role";
import type { SwitchScope } from "@/lib/domain/switch-scope";
import { asTenant } from "@/lib/store/db";
import { modesOf } from "@/lib/store/modes";
import { type TenantCounts, tenantCounts } from "./memberships";
import {
  type ActiveSwitch,
  activeSwitches,
  type RunningRamp,
  runningRamps,
  type VaultReader,
} from "./switches";

export interface PauseRow {
  readonly id: string;
  readonly scope: SwitchScope;
  /** Name of the paused connection; null for other scopes. */
  readonly connection: string | null;
  readonly kind: string | null;
  /** Who paused, in words without a person's name; null where only the switch is known. */
  readonly by: string | null;
  readonly since: string;
  readonly reason: string | null;
}

export interface Pulse {
  /** Database time, the console's clock. */
  readonly now: string;
  readonly counts: TenantCounts;
  readonly pauses: readonly PauseRow[];
  readonly ramps: readonly RunningRamp[];
  /** Kinds that are not live, of those that this release carries out. */
  readonly modes: { readonly shadow: readonly string[]; readonly off: readonly string[] };
  /** Changes when anything of the tenant's operations or open requests changed. */
  readonly mark: string;
}

/** What every open page asks every two seconds: time, badges, switches, and whether anything changed (1.3, 1.4). */
export async function pulse(
  reader: VaultReader,
  tenantId: string,
  account: { readonly id: string; readonly role: Role },
): Promise<Pulse> {
  const { db } = reader;
  const counts = await tenantCounts(db, tenantId, account);
  const seen = await asTenant(db, tenantId, async (tx) => {
    const [head] = await tx.$queryRaw<{ now: Date; mark: string }[]>`
      SELECT ledger_now() AS now, concat_ws('/',
        (SELECT extract(epoch FROM max(changed_at)) FROM operations WHERE tenant_id = ${tenantId}::uuid),
        (SELECT concat_ws('/', extract(epoch FROM max(mirror_read_at)), count(*)) FROM requests
          WHERE tenant_id = ${tenantId}::uuid AND NOT mirror_terminal)) AS mark`;
    const modes = new Map((await modesOf(tx, tenantId)).map(({ kind, mode }) => [kind, mode]));
    return { head, modes, ramps: await runningRamps(tx, tenantId) };
  });
  if (!seen.head) throw new Error("the database gave no time");
  const { now, mark } = seen.head;
  const inMode = (wanted: string) =>
    CARRIED_OUT.filter((kind) => (seen.modes.get(kind) ?? "off") === wanted);
  return {
    now: now.toISOString(),
    mark,
    counts,
    pauses: (await activeSwitches(reader, tenantId)).map(row),
    ramps: seen.ramps,
    modes: { shadow: inMode("shadow"), off: inMode("off") },
  };
}

/** Signing and finalizing come later: they are off everywhere and nothing has to be said about it. */
const CARRIED_OUT = [
  "send",
  "resend",
  "remind",
  "extend",
  "expire",
  "void",
] as const satisfies readonly OperationKind[];

function row(found: ActiveSwitch): PauseRow {
  const { id, scope, name, reason } = found;
  return {
    id,
    scope,
    connection: scope === "connection" ? name : null,
    kind: scope === "kind" ? name : null,
    reason,
    by: pausedByWords(found),
    since: found.since.toISOString(),
  };
}

/** "on-call engineer", "an installation operator", "the ledger itself": never a person's name (PV-4). */
export function pausedByWords({
  scope,
  pausedBy,
  role,
}: Pick<ActiveSwitch, "scope" | "pausedBy" | "role">): string {
  if (scope === "all") return "an installation operator";
  if (role !== null) return ROLE_LABELS[role as Role];
  return pausedBy.startsWith("system:") ? "the ledger itself" : "a former member";
}
