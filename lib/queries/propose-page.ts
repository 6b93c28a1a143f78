import type { Asked } from "@/lib/domain/asked";
import type { OperationKind } from "@/lib/domain/operation";
import type { Policy, VersionedPolicy } from "@/lib/domain/policy";
import { asTenant, type Database } from "@/lib/store/db";
import { type Mode, modeOf } from "@/lib/store/modes";
import { presentPolicy } from "@/lib/store/policies";
import { sentIntervalDays } from "@/lib/store/timers";
import { askedOf } from "./asked";
import { type ContactedSigner, contactedSigners } from "./contact-facts";
import { type RequestHead, requestHead } from "./request-head";

export interface ProposeView {
  readonly request: RequestHead;
  readonly rule: Policy;
  /** What the tenant lets this kind do now (GO-1). */
  readonly mode: Mode;
  readonly signers: readonly ContactedSigner[];
  /** Reminders that are planned now; an approved extension plans them anew (TM-3). */
  readonly reminders: readonly string[];
  /** By what new timers would be planned (TM-5). */
  readonly timing: {
    readonly remind: VersionedPolicy;
    readonly expire: VersionedPolicy;
    /** Days between reminders that the request was sent with; null leaves it to the policy. */
    readonly intervalDays: number | null;
  };
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
    const open = await tx.operation.findMany({
      where: {
        tenantId,
        requestRef: ref,
        state: { notIn: ["done", "obsolete", "superseded", "failed_terminal"] },
      },
      orderBy: { createdAt: "asc" },
      select: {
        opId: true,
        kind: true,
        state: true,
        dueAt: true,
        planId: true,
        canonicalText: true,
      },
    });
    const remind = await presentPolicy(tx, tenantId, "remind");
    const expire = await presentPolicy(tx, tenantId, "expire");
    const intervalDays = await sentIntervalDays(tx, tenantId, ref);
    const { policy: rule } = await presentPolicy(tx, tenantId, kind);
    const signers = await contactedSigners(tx, tenantId, request, remind.policy);
    return {
      request,
      mode: await modeOf(tx, tenantId, kind),
      signers,
      rule,
      timing: { remind, expire, intervalDays },
      reminders: open
        .filter(({ kind: of, state, planId }) => of === "remind" && state === "scheduled" && planId)
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
