"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import { type ApiProblem, getJson, postJson } from "@/components/api-call";
import type { DeadlineDraft } from "@/components/deadline-entry";
import type { FormError } from "@/components/error-summary";
import { freshId } from "@/components/fresh-id";
import { quickDeadline } from "@/components/relative-deadline";
import type { RequestHead } from "@/lib/queries/request-head";
import type { RequestView } from "@/lib/queries/request-page";
import type { CheckedDraft } from "./checked-draft";

export interface Draft extends DeadlineDraft {
  readonly reason: string;
  readonly goOnReason: string;
}

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

/** The state of one opened form. Its approval id and key were made when it opened (ID-1, API-1). */
export function useProposal(tenant: string, request: RequestHead, need: number, now: string) {
  const router = useRouter();
  const { ref } = request;
  const [draft, setDraft] = useState<Draft>(() => firstDraft(request, now));
  const [attempt, setAttempt] = useState(0);
  const [sending, setSending] = useState(READY);
  const identity = useRef<{ approvalId: string; key: string } | null>(null);
  useKeptDraft(`proposal:${tenant}:${ref}`, draft, setDraft);

  const open = useCallback(
    (opId: string) => {
      sessionStorage.removeItem(`proposal:${tenant}:${ref}`);
      router.replace(`/t/${tenant}/operations/${opId}?proposed=${need}`);
    },
    [router, tenant, ref, need],
  );
  const underWay = useRef(false);
  const send = async (checked: CheckedDraft) => {
    setAttempt((count) => count + 1);
    setSending((before) => ({ ...before, refused: [] }));
    if (checked.errors.length > 0) return;
    identity.current ??= { approvalId: freshId(), key: freshId() };
    const { approvalId, key } = identity.current;
    setSending({ ...READY, busy: true, twin: sending.twin });
    const url = `/api/v1/t/${tenant}/requests/${ref}/extensions`;
    const answer = await postJson<Proposed>(url, bodyOf(draft, approvalId), key);
    if (answer.kind === "refused") {
      return setSending({ ...READY, twin: sending.twin, refused: errorsOf(answer.problem) });
    }
    const own = { tenant, ref, approvalId };
    if (answer.kind === "lost") return settleLost(own, setSending, open);
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
    change: (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change })),
    send: (checked: CheckedDraft) => {
      // Two clicks in one frame meet here before any state is drawn.
      if (underWay.current) return;
      underWay.current = true;
      void send(checked).finally(() => {
        underWay.current = false;
      });
    },
  };
}

function firstDraft(request: RequestHead, now: string): Draft {
  const { zone, platformExpiresAt, businessDeadline } = request;
  const present = platformExpiresAt ?? businessDeadline?.at ?? null;
  const start = quickDeadline("7", zone, present, now);
  return { ...start, quick: "7", zone, choice: null, reason: "", goOnReason: "" };
}

/** Keeps what was typed for this tab, so that a sign-in in between loses nothing. */
function useKeptDraft(name: string, draft: Draft, restore: (draft: Draft) => void): void {
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

function bodyOf(draft: Draft, approvalId: string) {
  const { date, time, zone, choice, reason, goOnReason } = draft;
  return {
    approvalId,
    date,
    time,
    zone,
    ...(choice === null ? {} : { choice }),
    reason,
    ...(goOnReason.trim() === "" ? {} : { goOnReason }),
  };
}

const FIELDS: Readonly<Record<string, string>> = {
  date: "deadline-date",
  time: "deadline-time",
  zone: "deadline-zone",
  choice: "deadline-choice",
  reason: "reason",
  goOnReason: "go-on-reason",
};

function errorsOf(problem: ApiProblem): FormError[] {
  const field = problem.fields?.[0]?.path;
  return [{ field: (field && FIELDS[field]) || null, sentence: problem.detail }];
}

interface Own {
  readonly tenant: string;
  readonly ref: string;
  readonly approvalId: string;
}

/** The operation that this form's approval id made; null when there is none, undefined when nobody answers. */
async function findOwn({ tenant, ref, approvalId }: Own): Promise<string | null | undefined> {
  const answer = await getJson<RequestView>(`/api/v1/t/${tenant}/requests/${ref}`);
  if (answer.kind !== "ok") return undefined;
  return answer.data.operations.find((one) => one.approvalId === approvalId)?.opId ?? null;
}

const CHECK_EVERY_MS = 2000;

/** Looks until it is known whether the proposal was recorded (screens 4.1). */
async function settleLost(
  own: Own,
  show: (sending: Sending) => void,
  open: (opId: string) => void,
): Promise<void> {
  const status = "We did not hear back. Your proposal may have been recorded. Checking…";
  show({ ...READY, stopped: true, status });
  for (;;) {
    const found = await findOwn(own);
    if (typeof found === "string") return open(found);
    if (found === null) {
      return show({ ...READY, status: "It was not recorded. You can propose again." });
    }
    await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
  }
}
