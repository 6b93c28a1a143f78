"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import { type ApiProblem, postJson } from "@/components/api-call";
import type { FormError } from "@/components/error-summary";
import { freshId } from "@/components/fresh-id";
import { findOwn, settleLost } from "./lost-proposal";

/** What every form for a change asks besides its own fields. */
export interface CommonDraft {
  readonly reason: string;
  readonly goOnReason: string;
}

interface Proposed {
  readonly opId: string;
  readonly state: string;
  readonly duplicate: boolean;
}

export interface Sending {
  readonly busy: boolean;
  /** True while it is not known whether the proposal was recorded: the button is not live (screens 4.1). */
  readonly stopped: boolean;
  readonly status: string;
  readonly refused: readonly FormError[];
  readonly twin: string | null;
}

const READY: Sending = { busy: false, stopped: false, status: "", refused: [], twin: null };

/** What one kind of proposal adds to the form that they all share. */
export interface ProposalOf<Draft extends CommonDraft> {
  readonly tenant: string;
  readonly ref: string;
  /** Last part of the address that takes the proposal: `extensions`. */
  readonly path: string;
  /** How many approvals it needs. */
  readonly need: number;
  readonly first: () => Draft;
  /** The members of the body that are this kind's own. */
  readonly bodyOf: (draft: Draft) => object;
  /** Ids of the fields by their path in a refusal. */
  readonly fields: Readonly<Record<string, string>>;
}

export interface Proposal<Draft extends CommonDraft> extends Sending {
  readonly draft: Draft;
  readonly attempt: number;
  change(change: Partial<Draft>): void;
  /** Sends what was typed unless the form itself found something wrong with it. */
  send(errors: readonly FormError[]): void;
}

/** The state of one opened form. Its approval id and key were made when it opened (ID-1, API-1). */
export function useProposal<Draft extends CommonDraft>(of: ProposalOf<Draft>): Proposal<Draft> {
  const { tenant, ref, path, need } = of;
  const router = useRouter();
  const [draft, setDraft] = useState<Draft>(of.first);
  const [attempt, setAttempt] = useState(0);
  const [sending, setSending] = useState(READY);
  const identity = useRef<{ approvalId: string; key: string } | null>(null);
  const kept = `proposal:${tenant}:${ref}:${path}`;
  useKeptDraft(kept, draft, setDraft);

  const open = useCallback(
    (opId: string) => {
      sessionStorage.removeItem(kept);
      router.replace(`/t/${tenant}/operations/${opId}?proposed=${need}`);
    },
    [router, tenant, kept, need],
  );
  const underWay = useRef(false);
  const send = async (errors: readonly FormError[]) => {
    setAttempt((count) => count + 1);
    setSending((before) => ({ ...before, refused: [] }));
    if (errors.length > 0) return;
    identity.current ??= { approvalId: freshId(), key: freshId() };
    const { approvalId, key } = identity.current;
    setSending({ ...READY, busy: true, twin: sending.twin });
    const url = `/api/v1/t/${tenant}/requests/${ref}/${path}`;
    const body = { approvalId, ...of.bodyOf(draft), ...commonBody(draft) };
    const answer = await postJson<Proposed>(url, body, key);
    if (answer.kind === "refused") {
      const refused = errorsOf(answer.problem, of.fields);
      return setSending({ ...READY, twin: sending.twin, refused });
    }
    const own = { tenant, ref, approvalId };
    if (answer.kind === "lost") {
      return settleLost(own, (said) => setSending({ ...READY, ...said }), open);
    }
    if (!answer.data.duplicate || (await findOwn(own)) === answer.data.opId) {
      return open(answer.data.opId);
    }
    // The kept answer belongs to this key; a proposal that goes on regardless is another request.
    identity.current = { approvalId, key: freshId() };
    setSending({ ...READY, twin: answer.data.opId });
  };
  return {
    draft,
    attempt,
    ...sending,
    change: (change) => setDraft((before) => ({ ...before, ...change })),
    send: (errors) => {
      // Two clicks in one frame meet here before any state is drawn.
      if (underWay.current) return;
      underWay.current = true;
      void send(errors).finally(() => {
        underWay.current = false;
      });
    },
  };
}

/** Keeps what was typed for this tab, so that a sign-in in between loses nothing. */
function useKeptDraft<Draft extends CommonDraft>(
  name: string,
  draft: Draft,
  restore: (draft: Draft) => void,
): void {
  const restored = useRef(false);
  useEffect(() => {
    const kept = sessionStorage.getItem(name);
    if (kept !== null && !restored.current) restore(JSON.parse(kept) as Draft);
    restored.current = true;
  }, [name, restore]);
  useEffect(() => {
    if (restored.current && draft.reason !== "") {
      sessionStorage.setItem(name, JSON.stringify(draft));
    }
  }, [name, draft]);
}

function commonBody({ reason, goOnReason }: CommonDraft) {
  return { reason, ...(goOnReason.trim() === "" ? {} : { goOnReason }) };
}

const COMMON_FIELDS: Readonly<Record<string, string>> = {
  reason: "reason",
  goOnReason: "go-on-reason",
};

function errorsOf(problem: ApiProblem, own: Readonly<Record<string, string>>): FormError[] {
  const field = problem.fields?.[0];
  const id = field && ({ ...COMMON_FIELDS, ...own }[field.path] ?? null);
  // Several fields in one refusal say more by their own sentence than by the common one.
  const sentence = problem.code === "fields_unusable" && field ? field.sentence : problem.detail;
  return [{ field: id ?? null, sentence }];
}
