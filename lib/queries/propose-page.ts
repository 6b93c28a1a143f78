import type { Asked } from "@/lib/domain/asked";
import type { OperationKind } from "@/lib/domain/operation";
import { DEFAULT_POLICY, type Policy, PolicySchema } from "@/lib/domain/policy";
import { asTenant, type Database } from "@/lib/store/db";
import { type Mode, modeOf } from "@/lib/store/modes";
import { askedOf } from "./asked";
import { type ContactedSigner, contactedSigners, remindRule } from "./contact-facts";
import { type RequestHead, requestHead } from "./request-head";

export interface ProposeView {
  readonly request: RequestHead;
  readonly rule: Policy;
  /** What the tenant lets this kind do now (GO-1). */
  readonly mode: Mode;
  readonly signers: readonly ContactedSigner[];
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

/** What the form for a proposal of this kind shows; null when the tenant has no such request. */
export async function proposePage(
  db: Database,
  tenantId: string,
  accountId: string,
  ref: string,
  kind: OperationKind,
): Promise<ProposeView | null> {
  return asTenant(db, tenantId, async (tx) => {
    const request = await requestHead(tx, tenantId, accountId, ref);
    if (request === null) return null;
    const policy = await tx.policy.findFirst({
      where: { tenantId, kind },
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
    const { policy: reminding } = await remindRule(tx, tenantId);
    const signers = await contactedSigners(tx, tenantId, request, reminding);
    return {
      request,
      mode: await modeOf(tx, tenantId, kind),
      signers,
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
