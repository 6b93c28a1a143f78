import { Refusal } from "@/lib/domain/refusal";
import type { TenantScope } from "@/lib/domain/switch-scope";
import type { Tx } from "@/lib/store/db";

/** The name of the connection of a scope; null for other scopes. Throws Refusal `not_found` for a foreign one. */
export async function nameOfScope(
  tx: Tx,
  tenantId: string,
  scope: TenantScope,
): Promise<string | null> {
  if (scope.scope !== "connection") return null;
  const row = await tx.connection.findUnique({
    where: { tenantId_id: { tenantId, id: scope.connectionId } },
    select: { name: true },
  });
  if (row === null) throw new Refusal("not_found");
  return row.name;
}
