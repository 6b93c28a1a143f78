import { DEFAULT_POLICY, type Policy } from "@/lib/domain/policy";
import type { WorkerContext } from "@/lib/flows/worker-context";
import { waitUntil } from "./processes";
import { anApprovedSend } from "./sends";
import { oneRound, operationOf, type ShopTenant, type Workshop } from "./workshop";

/** Writes the next version of a policy as an admin would. */
export async function setPolicy(
  { ledger }: { readonly ledger: Pick<Workshop["ledger"], "owner"> },
  { tenantId }: Pick<ShopTenant, "tenantId">,
  kind: string,
  changes: Partial<Policy>,
): Promise<void> {
  const version = 2 + (await ledger.owner.policy.count({ where: { tenantId, kind } }));
  const body = JSON.stringify({ ...DEFAULT_POLICY, ...changes });
  await ledger.owner.policy.create({ data: { tenantId, kind, version, body } });
}

/** Rounds of a worker until the operation is in the state; returns its row. */
export async function workUntil(
  shop: Workshop,
  tenant: ShopTenant,
  worker: WorkerContext,
  opId: string,
  state: string,
) {
  return waitUntil(
    async () => {
      await oneRound(worker);
      const row = await operationOf(shop, tenant, opId);
      return row.state === state ? row : null;
    },
    { timeoutMs: 60_000, what: `the operation is ${state}` },
  );
}

/** A request that was sent through the ledger, with the timers that the policies of the tenant plan. */
export async function aSentRequest(
  shop: Workshop,
  tenant: ShopTenant,
  worker: WorkerContext,
  expiresAt: string,
): Promise<{ readonly ref: string; readonly opId: string; readonly platformRef: string }> {
  const { opId, ref } = await anApprovedSend(shop, tenant, expiresAt);
  const { platformRef } = await workUntil(shop, tenant, worker, opId, "done");
  if (platformRef === null) throw new Error("a confirmed send has its reference");
  return { ref, opId, platformRef };
}

/** The planned timers of a request, oldest due time first, whatever became of them. */
export function timersOf({ ledger }: Pick<Workshop, "ledger">, tenantId: string, ref: string) {
  return ledger.owner.operation.findMany({
    where: { tenantId, requestRef: ref, planId: { not: null } },
    orderBy: [{ createdAt: "asc" }, { dueAt: "asc" }, { occurrence: "asc" }],
  });
}

/** Lets timers be due now. */
export async function makeDue(
  { ledger }: Pick<Workshop, "ledger">,
  tenantId: string,
  opIds: readonly string[],
): Promise<void> {
  await ledger.owner.$executeRaw`
    UPDATE operations SET due_at = ledger_now() - interval '1 second'
    WHERE tenant_id = ${tenantId}::uuid AND op_id = ANY(${[...opIds]}::uuid[])`;
}
