"use client";

import { Button, SegmentedControl, TextInput } from "@mantine/core";
import { useRouter } from "next/navigation";
import { type FormEvent, useRef, useState } from "react";
import { postJson } from "@/components/api-call";
import { freshId } from "@/components/fresh-id";
import classes from "./history.module.css";

type ScopeKind = "all" | "request" | "operation" | "period";

const LABELS: Record<ScopeKind, string> = {
  all: "Everything",
  request: "A request",
  operation: "An operation",
  period: "A period",
};

interface ScopeFormProps {
  /** Where the wish is sent; the answer holds the id of what was begun. */
  readonly url: string;
  readonly kinds: readonly ScopeKind[];
  readonly action: string;
  /** The page of what was begun. */
  readonly pageOf: (id: string) => string;
}

/** Chooses what part of the history is meant, and has something begun about it. */
export function ScopeForm({ url, kinds, action, pageOf }: ScopeFormProps) {
  const router = useRouter();
  const [kind, setKind] = useState<ScopeKind>(kinds[0] ?? "all");
  const [trouble, setTrouble] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // A wish that is sent again after a lost answer is the same wish; another scope is another one.
  const sent = useRef({ text: "", key: "" });

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const scope = scopeIn(kind, new FormData(event.currentTarget));
    setBusy(true);
    const text = JSON.stringify(scope);
    if (sent.current.text !== text) sent.current = { text, key: freshId() };
    const answer = await postJson<{ id: string }>(url, { scope }, sent.current.key);
    setBusy(false);
    if (answer.kind === "ok") return router.push(pageOf(answer.data.id));
    setTrouble(
      answer.kind === "lost"
        ? "We did not hear back. Look at the list before asking again."
        : answer.problem.detail,
    );
  }

  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)}>
      <SegmentedControl
        aria-label="Scope"
        value={kind}
        onChange={(value) => setKind(value as ScopeKind)}
        data={kinds.map((one) => ({ value: one, label: LABELS[one] }))}
      />
      <Fields kind={kind} />
      <Button type="submit" loading={busy}>
        {action}
      </Button>
      {trouble === null ? null : <p role="alert">{trouble}</p>}
    </form>
  );
}

function Fields({ kind }: { readonly kind: ScopeKind }) {
  switch (kind) {
    case "all":
      return null;
    case "request":
      return (
        <TextInput
          name="ref"
          label="Request"
          placeholder="req_7006"
          required
          withAsterisk={false}
        />
      );
    case "operation":
      return (
        <TextInput
          name="op"
          label="Operation"
          description="Its whole id"
          required
          withAsterisk={false}
        />
      );
    case "period":
      return (
        <>
          <TextInput name="from" type="date" label="From (UTC)" required withAsterisk={false} />
          <TextInput
            name="to"
            type="date"
            label="Until before (UTC)"
            required
            withAsterisk={false}
          />
        </>
      );
  }
}

function scopeIn(kind: ScopeKind, form: FormData): Record<string, string> {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  switch (kind) {
    case "all":
      return { kind };
    case "request":
      return { kind, ref: text("ref") };
    case "operation":
      return { kind, op: text("op") };
    case "period":
      return { kind, from: `${text("from")}T00:00:00Z`, to: `${text("to")}T00:00:00Z` };
  }
}
