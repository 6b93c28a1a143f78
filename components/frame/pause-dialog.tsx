"use client";

import { NativeSelect, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { createContext, type ReactNode, useContext, useRef, useState } from "react";
import { postJson } from "@/components/api-call";
import { ConfirmConsequence } from "@/components/confirm-consequence";
import { freshId } from "@/components/fresh-id";
import { ReasonField } from "@/components/reason-field";
import { reasonProblem } from "@/lib/domain/reason-text";
import { roleMay } from "@/lib/domain/role";
import { scopeWords } from "@/lib/domain/switch-scope";
import { useFrame } from "./frame-facts";
import { liveJson } from "./live-json";

const PauseContext = createContext<(() => void) | null>(null);

/** Opens the pause dialog from anywhere; null for a role that may not pause. */
export function usePauseDialog(): (() => void) | null {
  return useContext(PauseContext);
}

/** Keeps the one pause dialog of the frame, so that stopping is one click and a reason away on every page. */
export function PauseDialogProvider({ children }: { readonly children: ReactNode }) {
  const { role } = useFrame();
  const [opened, dialog] = useDisclosure(false);
  const may = roleMay(role, "control.pause");
  return (
    <PauseContext value={may ? dialog.open : null}>
      {children}
      {may ? <PauseDialog key={opened ? "open" : "closed"} {...{ opened }} {...dialog} /> : null}
    </PauseContext>
  );
}

interface ScopeOption {
  readonly scope: "tenant" | "connection" | "kind";
  readonly connectionId: string | null;
  readonly name: string | null;
  readonly scheduled: number;
  readonly finishing: number;
  readonly paused: boolean;
}

/** The switch that always works, also when what it would hold cannot be counted. */
const WHOLE: ScopeOption = {
  scope: "tenant",
  connectionId: null,
  name: null,
  scheduled: 0,
  finishing: 0,
  paused: false,
};

function PauseDialog({ opened, close }: { readonly opened: boolean; close(): void }) {
  const { scopes, counted } = useScopes(opened);
  const [chosen, setChosen] = useState<string | null>(null);
  const [reason, setReason] = useState("");
  const [reviewAfter, setReviewAfter] = useState("1h");
  const option = scopes.find((one) => scopeValue(one) === chosen) ?? presentChoice(scopes);
  const words = scopeWords(option.scope, option.name);
  const { send, busy, error } = useThrow(option, { reason, reviewAfter }, close);
  return (
    <ConfirmConsequence
      opened={opened}
      onClose={close}
      question={`Pause ${words}?`}
      action={`Pause ${words}`}
      keep="Keep it running"
      onConfirm={send}
      busy={busy}
      danger
    >
      <Stack gap="sm">
        <NativeSelect
          label="What to pause"
          value={scopeValue(option)}
          data={scopes.map((one) => ({ value: scopeValue(one), label: labelOf(one) }))}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
        <Consequence option={option} counted={counted} />
        <ReasonField value={reason} onChange={setReason} error={error} limits={{ min: 1 }} />
        <NativeSelect
          label="Ask again whether it is needed"
          value={reviewAfter}
          data={REVIEWS}
          onChange={(event) => setReviewAfter(event.currentTarget.value)}
        />
      </Stack>
    </ConfirmConsequence>
  );
}

const REVIEWS = [
  { value: "1h", label: "after 1 hour" },
  { value: "4h", label: "after 4 hours" },
  { value: "tomorrow", label: "tomorrow at this time" },
  { value: "", label: "do not ask" },
];

function scopeValue({ scope, connectionId, name }: ScopeOption): string {
  return `${scope} ${connectionId ?? name ?? ""}`;
}

function labelOf(option: ScopeOption): string {
  const words = scopeWords(option.scope, option.name);
  return option.paused ? `${words} (paused already)` : words;
}

/** The narrowest scope that fits: the one connection of the tenant, else the tenant. */
function presentChoice(scopes: readonly ScopeOption[]): ScopeOption {
  const connections = scopes.filter(({ scope }) => scope === "connection");
  const [only, second] = connections;
  return (second === undefined ? only : undefined) ?? scopes[0] ?? WHOLE;
}

function useScopes(opened: boolean) {
  const { tenant } = useFrame();
  const { data } = useQuery({
    queryKey: [tenant.slug, "pause-scopes"],
    queryFn: () => liveJson<{ scopes: ScopeOption[] }>(`/api/v1/t/${tenant.slug}/controls/scopes`),
    enabled: opened,
    refetchInterval: 2000,
  });
  return { scopes: data?.scopes ?? [WHOLE], counted: data !== undefined };
}

function Consequence(props: { readonly option: ScopeOption; readonly counted: boolean }) {
  const { option, counted } = props;
  if (!counted) {
    return <p>What is held could not be counted yet. Pausing works all the same.</p>;
  }
  return (
    <p>
      Held: {option.scheduled} scheduled. Finishing: {option.finishing}{" "}
      {option.finishing === 1 ? "call" : "calls"} already under way; they cannot be recalled. Going
      on: reading the platform, recording events, reviews.
    </p>
  );
}

interface Given {
  readonly reason: string;
  readonly reviewAfter: string;
}

/** Throws the switch and shows it on the controls page; a refusal stays in the dialog. */
function useThrow(option: ScopeOption, { reason, reviewAfter }: Given, close: () => void) {
  const { tenant } = useFrame();
  const router = useRouter();
  const queries = useQueryClient();
  const key = useRef(freshId());
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const send = async () => {
    const problem = reasonProblem(reason, { min: 1 });
    setError(problem);
    if (problem !== null) return;
    setBusy(true);
    const { scope, connectionId, name } = option;
    const answer = await postJson<{ pauseId: string }>(
      `/api/v1/t/${tenant.slug}/pauses`,
      {
        scope,
        reason,
        ...(scope === "connection" ? { connectionId } : {}),
        ...(scope === "kind" ? { kind: name } : {}),
        ...(reviewAfter === "" ? {} : { reviewAfter }),
      },
      key.current,
    );
    setBusy(false);
    if (answer.kind === "lost") {
      setError(
        "We did not hear back. It may be paused: the banner shows it. Pausing twice is safe.",
      );
      return;
    }
    if (answer.kind === "refused") {
      key.current = freshId();
      setError(answer.problem.fields?.[0]?.sentence ?? answer.problem.detail);
      return;
    }
    await queries.invalidateQueries({ queryKey: [tenant.slug] });
    close();
    router.push(`/t/${tenant.slug}/controls`);
  };
  return { send: () => void send(), busy, error };
}
