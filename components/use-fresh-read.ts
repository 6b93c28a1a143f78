"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { getJson, postJson } from "./api-call";
import { freshId } from "./fresh-id";

export interface FreshRead {
  readonly state: "idle" | "reading" | "read" | "failed";
  /** The receipt of the newest read that this page ordered. */
  readonly receiptId: string | null;
  /** Why there is no read, in words; null when nobody said. */
  readonly problem: string | null;
  /** Orders one read; does nothing while one is under way. */
  read(): void;
}

/** How long the page waits for the worker; the order stays and its receipt shows up by itself later. */
const WAIT_MS = 15_000;
const LOOK_EVERY_MS = 400;

/**
 * Lets the worker read the request at its platform and waits for the receipt (PL-1, PL-4). With `onOpen` one read
 * is ordered as soon as the page is there.
 */
export function useFreshRead(
  tenant: string,
  ref: string,
  { onOpen = false }: { readonly onOpen?: boolean } = {},
): FreshRead {
  const [shown, setShown] = useState<Omit<FreshRead, "read">>(
    onOpen ? { ...IDLE, state: "reading" } : IDLE,
  );
  const underWay = useRef(false);
  const here = useRef(true);
  const read = useCallback(() => {
    if (underWay.current) return;
    underWay.current = true;
    setShown((before) => ({ ...before, state: "reading", problem: null }));
    void ordered(tenant, ref, () => here.current).then((result) => {
      underWay.current = false;
      if (here.current) setShown((before) => ({ ...before, ...result }));
    });
  }, [tenant, ref]);
  useEffect(() => {
    here.current = true;
    if (onOpen) read();
    return () => {
      here.current = false;
    };
  }, [onOpen, read]);
  return { ...shown, read };
}

const IDLE = { state: "idle", receiptId: null, problem: null } as const;

type Result = { readonly state: "failed"; readonly problem: string | null } | ReadResult;
interface ReadResult {
  readonly state: "read";
  readonly receiptId: string;
}

async function ordered(tenant: string, ref: string, here: () => boolean): Promise<Result> {
  const base = `/api/v1/t/${tenant}`;
  const order = await postJson<{ orderId: string }>(
    `${base}/requests/${ref}/read-orders`,
    {},
    freshId(),
  );
  if (order.kind !== "ok") return failed(order.kind === "refused" ? order.problem.detail : null);
  const until = performance.now() + WAIT_MS;
  while (here() && performance.now() < until) {
    const found = await getJson<{ receiptId: string | null; outcome: string | null }>(
      `${base}/read-orders/${order.data.orderId}`,
    );
    if (found.kind === "ok" && found.data.receiptId !== null) {
      const { receiptId, outcome } = found.data;
      if (outcome === "read") return { state: "read", receiptId };
      return failed(OUTCOME_WORDS[outcome ?? ""] ?? null);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return failed(null);
}

const OUTCOME_WORDS: Readonly<Record<string, string>> = {
  not_found: 'The platform answers "not found".',
  declined: "The platform declined to answer now.",
  unreadable: "The platform's answer could not be read.",
};

function failed(problem: string | null): Result {
  return { state: "failed", problem };
}
