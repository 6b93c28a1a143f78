"use client";

import { useSearchParams } from "next/navigation";
import { type Proposal, useProposal } from "@/app/t/[tenant]/requests/use-proposal";

/** What every form for a change asks besides its own fields. */
export interface CommonDraft {
  readonly reason: string;
  readonly goOnReason: string;
}

/** What one kind of change adds to the form that they all share. */
interface ChangeOf<Draft extends CommonDraft> {
  readonly tenant: string;
  readonly ref: string;
  /** Last part of the address that takes the proposal: `extensions`. */
  readonly path: string;
  readonly need: number;
  readonly first: () => Draft;
  /** The members of the body that are this kind's own. */
  readonly bodyOf: (draft: Draft) => object;
  /** Ids of its fields by their path in a refusal. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The form of a proposal to change a request. */
export function useChange<Draft extends CommonDraft>(of: ChangeOf<Draft>): Proposal<Draft> {
  const { tenant, ref, path, need, first, bodyOf, fields } = of;
  const supersedesOpId = useSupersedes();
  const known: Readonly<Record<string, string>> = { ...COMMON_FIELDS, ...fields };
  return useProposal<Draft>({
    tenant,
    url: `/api/v1/t/${tenant}/requests/${ref}/${path}`,
    need,
    first,
    bodyOf: (draft) => ({
      ...bodyOf(draft),
      ...commonBody(draft),
      ...(supersedesOpId === null ? {} : { supersedesOpId }),
    }),
    fieldOf: (field) => known[field] ?? null,
    refOf: () => ref,
    keptAs: `proposal:${tenant}:${ref}:${path}`,
  });
}

const OPERATION = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The operation that the proposal replaces, as a review item's decision leads here; null for a proposal of its own. */
export function useSupersedes(): string | null {
  const given = useSearchParams().get("supersedes");
  return given !== null && OPERATION.test(given) ? given : null;
}

function commonBody({ reason, goOnReason }: CommonDraft) {
  return { reason, ...(goOnReason.trim() === "" ? {} : { goOnReason }) };
}

const COMMON_FIELDS: Readonly<Record<string, string>> = {
  reason: "reason",
  goOnReason: "go-on-reason",
};
