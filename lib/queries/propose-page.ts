import type { Asked } from "@/lib/domain/asked";
import { DEFAULT_POLICY, type Policy, PolicySchema } from "@/lib/domain/policy";
import { asTenant, type Database } from "@/lib/store/db";
import { askedOf } from "./asked";
import { type RequestHead, requestHead } from "./request-head";

export interface ProposeView {
  readonly request: RequestHead;
  readonly rule: Policy;
  /** Reminders that are planned now; an approved extension plans them anew (TM-3). */
  readonly reminders: readonly string[];
  /** Operations of the request that are not ended, oldest first. */
  readonly open: readonly {
    readonly opId: string;
    readonly kind: string;
    readonly state: string;
    readonly asked: Asked | null;
  }[];
}

/** What the form for a new deadline shows; null when the tenant has no such request. */
export async function proposePage(
  db: Database,
  tenantId: string,
  accountId: string,
  ref: string,
): Promise<ProposeView | null> {
  return asTenant(db, tenantId, async (tx) => {
    const request = await requestHead(tx, tenantId, accountId, ref);
    if (request === null) return null;
    const policy = await tx.policy.findFirst({
      where: { tenantId, kind: "extend" },
      orderBy: { version: "desc" },
      select: { body: true },
    });
    const open = await tx.operation.findMany({
      where: {
        tenantId,
        requestRef: ref,
        state: { notIn: ["done", "obsolete", "superseded", "failed_terminal"] },
      },
      orderBy: { createdAt: "asc" },
      select: { opId: true, kind: true, state: true, dueAt: true, canonicalText: true },
    });
    return {
      request,
      rule: policy === null ? DEFAULT_POLICY : PolicySchema.parse(JSON.parse(policy.body)),
      reminders: open
        .filter(({ kind, state }) => kind === "remind" && state === "scheduled")
        .map(({ dueAt }) => dueAt.toISOString()),
      open: open.map(({ opId, kind, state, canonicalText }) => ({
        opId,
        kind,
        state,
        asked: askedOf(canonicalText),
      })),
    };
  });
}
