"use client";

import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import panel from "@/components/panel.module.css";
import { kindNoun } from "@/lib/domain/asked";
import { OPERATION_KINDS } from "@/lib/domain/operation";
import type { ReasonCode } from "@/lib/domain/reason";
import { defaultTeamOf, firstMatch, ROUTED_REASONS } from "@/lib/domain/routing";
import { ownerWords } from "@/lib/domain/waiting";
import classes from "./routing.module.css";
import { type RuleDraft, whenWords } from "./rule-draft";

interface WhoBoxProps {
  readonly rules: readonly RuleDraft[];
  readonly connections: readonly { readonly id: string; readonly name: string }[];
  /** Who of a team is on call now, in words; null where the whole team is told. */
  readonly onCallOf: (owner: string) => string | null;
}

/** "Who would get {reason}?": asks the rules as they stand in the form, saved or not. */
export function WhoBox({ rules, connections, onCallOf }: WhoBoxProps) {
  const [reason, setReason] = useState<ReasonCode>(ROUTED_REASONS[0] ?? "possible_duplicate");
  const [kind, setKind] = useState("");
  const [connectionId, setConnectionId] = useState("");
  const item = { reason, kind: kind || null, connectionId: connectionId || null };
  const rule = firstMatch(rules, item);
  const owner = rule?.owner ?? defaultTeamOf(reason);
  const onCall = onCallOf(owner);
  return (
    <section className={panel.panel} aria-labelledby="who">
      <h2 id="who" className={panel.heading}>
        Who would get it?
      </h2>
      <div className={classes.fields}>
        <NativeSelect
          label="Reason"
          value={reason}
          data={[...ROUTED_REASONS]}
          onChange={(event) => setReason(event.currentTarget.value as ReasonCode)}
        />
        <NativeSelect
          label="Kind"
          value={kind}
          data={[
            { value: "", label: "none" },
            ...OPERATION_KINDS.map((value) => ({ value, label: kindNoun(value) })),
          ]}
          onChange={(event) => setKind(event.currentTarget.value)}
        />
        <NativeSelect
          label="Connection"
          value={connectionId}
          data={[
            { value: "", label: "none" },
            ...connections.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(event) => setConnectionId(event.currentTarget.value)}
        />
      </div>
      <p role="status" className={classes.answer}>
        <strong>{ownerWords(owner)}</strong> would get {reason}
        {rule === null
          ? ": no rule fits, so the reason's own owner has it. A person behind the item (who proposed, approved or owns the request) comes before the team."
          : `: rule ${rules.indexOf(rule) + 1} fits (${whenWords(rule, connections)}).`}
        {onCall === null ? "" : ` On call now: ${onCall}.`}
      </p>
    </section>
  );
}
