import { type CapabilityDescriptor, CapabilityDescriptorSchema } from "@/lib/domain/capability";
import type { Policy, VersionedPolicy } from "@/lib/domain/policy";
import { asTenant, type Database, ledgerNow } from "@/lib/store/db";
import { type Mode, modeOf } from "@/lib/store/modes";
import { presentPolicy } from "@/lib/store/policies";

export interface NewSendView {
  readonly now: string;
  readonly rule: Policy;
  /** What the tenant lets sends do now (GO-1). */
  readonly mode: Mode;
  /** By what timers would be planned (TM-5). */
  readonly timing: { readonly remind: VersionedPolicy; readonly expire: VersionedPolicy };
  readonly connections: readonly SendConnection[];
}

interface SendConnection {
  readonly id: string;
  readonly name: string;
  readonly sandbox: boolean;
  /** Null where the stored descriptor cannot be understood. */
  readonly descriptor: CapabilityDescriptor | null;
}

/** What the form for a new send offers. */
export async function newSendPage(db: Database, tenantId: string): Promise<NewSendView> {
  return asTenant(db, tenantId, async (tx) => {
    const { policy: rule } = await presentPolicy(tx, tenantId, "send");
    const connections = await tx.connection.findMany({
      where: { tenantId },
      orderBy: [{ name: "asc" }, { id: "asc" }],
      select: { id: true, name: true, environment: true, descriptor: true },
    });
    return {
      now: (await ledgerNow(tx)).toISOString(),
      rule,
      mode: await modeOf(tx, tenantId, "send"),
      timing: {
        remind: await presentPolicy(tx, tenantId, "remind"),
        expire: await presentPolicy(tx, tenantId, "expire"),
      },
      connections: connections.map(({ id, name, environment, descriptor }) => ({
        id,
        name,
        sandbox: environment === "sandbox",
        descriptor: CapabilityDescriptorSchema.safeParse(JSON.parse(descriptor)).data ?? null,
      })),
    };
  });
}
