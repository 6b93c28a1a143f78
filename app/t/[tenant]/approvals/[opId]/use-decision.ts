"use client";

import { useRef, useState } from "react";
import { type ApiProblem, getJson, postJson } from "@/components/api-call";
import { freshId } from "@/components/fresh-id";
import type { ApproveView } from "@/lib/queries/approve-page";
import type { Pin } from "./use-review";

interface Approved {
  readonly state: string;
  readonly approvedAt: string;
  readonly already: boolean;
  readonly byYou: boolean;
}

export interface Decision {
  /** `checking`: an answer was lost and nobody knows yet; no button is live meanwhile (screens 4.1). */
  readonly phase: "open" | "sending" | "checking";
  readonly status: string;
  readonly approved: Approved | null;
  /** Why the last try was turned down; nothing was recorded then. */
  readonly problem: ApiProblem | null;
  approve(): void;
  reject(reason: string): void;
  withdraw(reason: string): void;
  forget(): void;
}

type Shown = Pick<Decision, "phase" | "status" | "approved" | "problem">;

const OPEN: Shown = { phase: "open", status: "", approved: null, problem: null };

/** The two answers and the way back, each sent once for what was on screen. */
export function useDecision(
  tenant: string,
  view: ApproveView,
  pin: Pin | null,
  refresh: () => void,
): Decision {
  const [shown, setShown] = useState(OPEN);
  const underWay = useRef(false);
  const endKeys = useRef(new Map<string, string>());
  const base = `/api/v1/t/${tenant}/operations/${view.opId}`;
  const once = (work: () => Promise<void>) => {
    // Two clicks in one frame meet here before any state is drawn.
    if (underWay.current) return;
    underWay.current = true;
    setShown((before) => ({ ...OPEN, phase: "sending", approved: before.approved }));
    void work().finally(() => {
      underWay.current = false;
      refresh();
    });
  };
  const approve = () => {
    if (pin === null) return;
    const { version, hash, receiptId, key } = pin;
    once(async () => {
      const answer = await postJson<Approved>(
        `${base}/approvals`,
        { version, hash, receiptId },
        key,
      );
      if (answer.kind === "ok") return setShown({ ...OPEN, approved: answer.data });
      if (answer.kind === "refused") return setShown({ ...OPEN, problem: answer.problem });
      setShown({ ...OPEN, phase: "checking", status: LOST });
      setShown(await settled(tenant, view.opId, version));
    });
  };
  const end = (verb: "rejections" | "withdrawals", body: object) =>
    once(async () => {
      // The same words again are the same request; other words are another.
      const name = `${verb} ${JSON.stringify(body)}`;
      const key = endKeys.current.get(name) ?? freshId();
      endKeys.current.set(name, key);
      const answer = await postJson(`${base}/${verb}`, body, key);
      if (answer.kind === "refused") return setShown({ ...OPEN, problem: answer.problem });
      if (answer.kind === "ok") return setShown(OPEN);
      setShown({ ...OPEN, status: "We did not hear back. What is shown here is read again." });
    });
  return {
    ...shown,
    approve,
    reject: (reason) => {
      if (pin) end("rejections", { version: pin.version, hash: pin.hash, reason });
    },
    withdraw: (reason) => end("withdrawals", { reason }),
    forget: () => setShown(OPEN),
  };
}

const LOST = "We did not hear back. Your approval may have been recorded. Checking…";
const CHECK_EVERY_MS = 2000;

/** Looks until it is known whether this person's approval of this version was recorded. */
async function settled(tenant: string, opId: string, version: number): Promise<Shown> {
  for (;;) {
    const answer = await getJson<ApproveView>(`/api/v1/t/${tenant}/approvals/${opId}`);
    if (answer.kind === "refused") return { ...OPEN, problem: answer.problem };
    if (answer.kind === "ok") return outcomeOf(answer.data, version);
    await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
  }
}

function outcomeOf(view: ApproveView, version: number): Shown {
  const own = view.decisions.find(
    (one) => one.by.you && one.decision === "approve" && one.version === version && !one.revoked,
  );
  if (own === undefined) {
    return { ...OPEN, status: "It was not recorded. You can approve again." };
  }
  const status = `It was recorded at ${own.at.slice(11, 19)}Z. Nothing more to do.`;
  const approved = { state: view.state, approvedAt: own.at, already: false, byYou: true };
  return { ...OPEN, status, approved };
}
