"use client";

import { type QueryKey, useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { useTickingNow } from "@/components/ticking";
import { liveJson, ReadFailed } from "./live-json";

/** Everything that changes is asked again this often. */
const EVERY_MS = 2000;
/** A switch has to be on every open page within two seconds, the way there and back included (BL-6). */
const PULSE_EVERY_MS = 1500;
const LATE_AFTER_MS = 5000;
const LOST_AFTER_MS = 30_000;

export interface PulseView {
  readonly now: string;
  readonly counts: {
    readonly waitingForMe: number;
    readonly reviewsOpen: number;
    readonly reviewsBreached: number;
    readonly unknown: number;
    readonly live: boolean;
    readonly paused: boolean;
  };
  readonly pauses: readonly {
    readonly id: string;
    readonly scope: "all" | "tenant" | "connection" | "kind";
    readonly connection: string | null;
    readonly kind: string | null;
    readonly by: string | null;
    readonly since: string;
    readonly reason: string | null;
  }[];
  readonly ramps: readonly {
    readonly id: string;
    readonly scope: "all" | "tenant" | "connection" | "kind";
    readonly name: string | null;
    readonly started: number;
    readonly total: number;
    readonly rate: number;
  }[];
  readonly modes: { readonly shadow: readonly string[]; readonly off: readonly string[] };
  readonly mark: string;
}

export type Freshness = "live" | "paused" | "late" | "lost";

interface LiveState {
  readonly pulse: PulseView;
  readonly freshness: Freshness;
  /** Database time of the last good answer. */
  readonly asOf: string;
  /** Seconds by which this computer's clock is ahead of the server; negative when behind. */
  readonly skewSeconds: number;
  readonly paused: boolean;
  setPaused(paused: boolean): void;
}

const LiveContext = createContext<LiveState | null>(null);

interface LiveProviderProps {
  readonly tenantSlug: string;
  readonly initial: PulseView;
  readonly children: ReactNode;
}

/** Keeps the tenant's pulse and says how fresh the page is (screens 1.4). Leaves the page when access ends. */
export function LiveProvider({ tenantSlug, initial, children }: LiveProviderProps) {
  const [paused, setPaused] = useState(false);
  const query = useQuery({
    queryKey: [tenantSlug, "pulse"],
    queryFn: async () => {
      const pulse = await liveJson<PulseView>(`/api/v1/t/${tenantSlug}/pulse`);
      return { pulse, skewMs: Date.now() - Date.parse(pulse.now) };
    },
    initialData: { pulse: initial, skewMs: 0 },
    staleTime: 1000,
    refetchInterval: PULSE_EVERY_MS,
    refetchOnWindowFocus: true,
  });
  useLeaveWhenAccessEnds(query.error);
  const silentMs = useSilence(query.dataUpdatedAt);
  const { pulse, skewMs } = query.data;
  const state = useMemo<LiveState>(
    () => ({
      pulse,
      asOf: pulse.now,
      freshness: freshnessOf(silentMs, paused),
      skewSeconds: Math.round(skewMs / 1000),
      paused,
      setPaused,
    }),
    [pulse, skewMs, silentMs, paused],
  );
  return (
    <LiveContext value={state}>
      <NowProvider serverNow={pulse.now}>{children}</NowProvider>
    </LiveContext>
  );
}

function freshnessOf(silentMs: number, paused: boolean): Freshness {
  if (silentMs > LOST_AFTER_MS) return "lost";
  if (silentMs > LATE_AFTER_MS) return "late";
  return paused ? "paused" : "live";
}

/** Milliseconds since the last good answer, in steps that matter. */
function useSilence(updatedAt: number): number {
  const [silentMs, setSilentMs] = useState(0);
  useEffect(() => {
    const look = () => {
      const ms = Date.now() - updatedAt;
      setSilentMs(
        ms > LOST_AFTER_MS ? LOST_AFTER_MS + 1 : ms > LATE_AFTER_MS ? LATE_AFTER_MS + 1 : 0,
      );
    };
    look();
    const timer = setInterval(look, 1000);
    return () => clearInterval(timer);
  }, [updatedAt]);
  return silentMs;
}

/** A whole load of another page, so that nothing of the tenant stays in memory (C-36). */
function useLeaveWhenAccessEnds(error: Error | null): void {
  const status = error instanceof ReadFailed ? error.problem?.status : undefined;
  useEffect(() => {
    if (status === 401) {
      const back = `${window.location.pathname}${window.location.search}`;
      window.location.assign(`/sign-in?ended=1&callbackUrl=${encodeURIComponent(back)}`);
    }
    if (status === 404 || status === 403) window.location.assign("/tenants?ended=1");
  }, [status]);
}

/** The state of the live layer. Only inside a tenant's frame. */
export function useFreshness(): LiveState {
  const state = useContext(LiveContext);
  if (state === null) throw new Error("useFreshness needs the frame of a tenant");
  return state;
}

const NowContext = createContext<string | null>(null);

/** Database time going on by the browser's stopwatch; the first render is exactly `serverNow`. */
export function NowProvider({
  serverNow,
  children,
}: {
  readonly serverNow: string;
  readonly children: ReactNode;
}) {
  return <NowContext value={useTickingNow(serverNow)}>{children}</NowContext>;
}

/** Database time now (RFC 3339), the same on the server and in the browser's first render. */
export function useNow(): string {
  const now = useContext(NowContext);
  if (now === null) throw new Error("useNow needs a NowProvider around it");
  return now;
}

export interface Live<T> {
  readonly data: T;
  /** Null while the last read was answered. Its `problem` is null when no answer came at all. */
  readonly failed: ReadFailed | null;
  again(): void;
}

/**
 * Server state that stays fresh: what the server rendered first, then read again every two seconds and when the
 * window gets the focus. Key: `[tenant, resource, params]`. Data stay on screen when a read fails.
 */
export function useLive<T>(queryKey: QueryKey, url: string, initialData: T): Live<T> {
  const live = useContext(LiveContext);
  const query = useQuery({
    queryKey,
    queryFn: () => liveJson<T>(url),
    initialData,
    staleTime: 1000,
    refetchInterval: live?.paused ? false : EVERY_MS,
    refetchOnWindowFocus: true,
  });
  return {
    // Never undefined in fact: there was data from the start.
    data: query.data ?? initialData,
    failed: query.error instanceof ReadFailed ? query.error : null,
    again: () => void query.refetch(),
  };
}
