"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import { freshId } from "@/components/fresh-id";
import { type FreshRead, useFreshRead } from "@/components/use-fresh-read";
import type { ApproveView } from "@/lib/queries/approve-page";
import type { ReceiptRow } from "@/lib/queries/receipts";

/** What the person is looking at: an approval is bound to it (AP-1, C-30). */
export interface Pin {
  readonly version: number;
  readonly hash: string;
  readonly status: string;
  readonly expiresAt: string | null;
  /** The read that is on screen; null where there is none. */
  readonly receiptId: string | null;
  /** Names the one request that this look at the page can send (API-1). */
  readonly key: string;
}

export interface Review {
  readonly read: FreshRead;
  /** Null until the read that opening ordered has come or has failed. */
  readonly pin: Pin | null;
  /** The receipt that is on screen. */
  readonly receipt: ReceiptRow | null;
  /** Reads anew and takes what is there then as what the person looks at. */
  again(): void;
}

/**
 * Reads the request once when the page opens, and keeps what was on screen from then on: whatever changes later is
 * shown as a difference and never slips under an open button.
 */
export function useReview(tenant: string, view: ApproveView, refresh: () => void): Review {
  const router = useRouter();
  const reads = view.state === "proposed" && view.kind !== "send";
  const read = useFreshRead(tenant, view.request.ref, { onOpen: reads });
  const [pin, setPin] = useState<Pin | null>(null);
  const fresh = view.reads.find(({ id }) => id === read.receiptId) ?? null;
  const settled = !reads || read.state === "failed" || (read.state === "read" && fresh !== null);
  const asked = useRef<string | null>(null);
  useEffect(() => {
    // Once for each receipt: the page polls anyway, this only saves the wait.
    if (read.receiptId === null || fresh !== null || asked.current === read.receiptId) return;
    asked.current = read.receiptId;
    refresh();
  }, [read.receiptId, fresh, refresh]);
  useEffect(() => {
    if (pin === null && settled && view.state === "proposed") setPin(pinOf(view, fresh));
  }, [pin, settled, view, fresh]);
  const order = read.read;
  const again = useCallback(() => {
    setPin(null);
    if (reads) order();
    refresh();
    // The proposer's words belong to a version and are read from the vault by the server.
    router.refresh();
  }, [reads, order, refresh, router]);
  const receipt = view.reads.find(({ id }) => id === (pin?.receiptId ?? null)) ?? fresh;
  return { read, pin, receipt, again };
}

function pinOf(view: ApproveView, fresh: ReceiptRow | null): Pin {
  const { status, platformExpiresAt, receiptId } = view.request;
  return {
    version: view.version,
    hash: view.hash,
    status: fresh?.status ?? status,
    expiresAt: fresh === null ? platformExpiresAt : fresh.expiresAt,
    receiptId: fresh?.id ?? receiptId,
    key: freshId(),
  };
}
