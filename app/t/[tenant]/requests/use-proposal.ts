"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import { type ApiProblem, postJson } from "@/components/api-call";
import type { FormError } from "@/components/error-summary";
import { freshId } from "@/components/fresh-id";
import { findOwn, settleLost } from "./lost-proposal";

interface Proposed {
  readonly opId: string;
  readonly state: string;
  readonly duplicate: boolean;
}

interface Sending {
  readonly busy: boolean;
  /** True while it is not known whether the proposal was recorded: the button is not live (screens 4.1). */
  readonly stopped: boolean;
  readonly status: string;
  readonly refused: readonly FormError[];
  readonly twin: string | null;
}

const READY: Sending = { busy: false, stopped: false, status: "", refused: [], twin: null };

/** What one form adds to the way in which they all propose. */
interface ProposalOf<Draft> {
  readonly tenant: string;
  /** The address that takes the proposal. */
  readonly url: string;
  /** How many approvals it needs. */
  readonly need: number;
  readonly first: () => Draft;
  /** The body without its approval id. */
  readonly bodyOf: (draft: Draft) => object;
  /** The id of the field that a path in a refusal means; null for none of them. */
  readonly fieldOf: (path: string) => string | null;
  /** Our reference of the request that the draft is about. */
  readonly refOf: (draft: Draft) => string;
  /** Under which name the draft is kept for this tab; null for one with contact details in it. */
  readonly keptAs: string | null;
}

export interface Proposal<Draft> extends Sending {
  readonly draft: Draft;
  readonly attempt: number;
  change(change: Partial<Draft>): void;
  /** Sends what was typed unless the form itself found something wrong with it. */
  send(errors: readonly FormError[]): void;
}

/** The state of one opened form. Its approval id and key were made when it opened (ID-1, API-1). */
export function useProposal<Draft extends object>(of: ProposalOf<Draft>): Proposal<Draft> {
  const { tenant, need, url, keptAs } = of;
  const router = useRouter();
  const [draft, setDraft] = useState<Draft>(of.first);
  const [attempt, setAttempt] = useState(0);
  const [sending, setSending] = useState(READY);
  const identity = useRef<{ approvalId: string; key: string } | null>(null);
  useKeptDraft(keptAs, draft, setDraft);

  const open = useCallback(
    (opId: string) => {
      if (keptAs !== null) sessionStorage.removeItem(keptAs);
      router.replace(`/t/${tenant}/operations/${opId}?proposed=${need}`);
    },
    [router, tenant, keptAs, need],
  );
  const underWay = useRef(false);
  const send = async (errors: readonly FormError[]) => {
    setAttempt((count) => count + 1);
    setSending((before) => ({ ...before, refused: [] }));
    if (errors.length > 0) return;
    identity.current ??= { approvalId: freshId(), key: freshId() };
    const { approvalId, key } = identity.current;
    setSending({ ...READY, busy: true, twin: sending.twin });
    const answer = await postJson<Proposed>(url, { approvalId, ...of.bodyOf(draft) }, key);
    if (answer.kind === "refused") {
      const refused = errorsOf(answer.problem, of.fieldOf);
      return setSending({ ...READY, twin: sending.twin, refused });
    }
    const own = { tenant, ref: of.refOf(draft), approvalId };
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
function useKeptDraft<Draft extends object>(
  name: string | null,
  draft: Draft,
  restore: (draft: Draft) => void,
): void {
  const restored = useRef(false);
  const first = useRef(draft);
  useEffect(() => {
    const kept = name === null ? null : sessionStorage.getItem(name);
    if (kept !== null && !restored.current) restore(JSON.parse(kept) as Draft);
    restored.current = true;
  }, [name, restore]);
  useEffect(() => {
    if (name !== null && restored.current && draft !== first.current) {
      sessionStorage.setItem(name, JSON.stringify(draft));
    }
  }, [name, draft]);
}

function errorsOf(problem: ApiProblem, fieldOf: ProposalOf<object>["fieldOf"]): FormError[] {
  const fields = problem.fields ?? [];
  // Where several fields are refused at once each says more than the sentence above them.
  if (problem.code === "fields_unusable" && fields.length > 0) {
    return fields.map(({ path, sentence }) => ({ field: fieldOf(path), sentence }));
  }
  const path = fields[0]?.path;
  return [{ field: path === undefined ? null : fieldOf(path), sentence: problem.detail }];
}
