"use client";

import { useState } from "react";
import { useLive } from "@/components/frame/live";
import type { OwnerChoice } from "@/components/owner-picker";
import { isTeam, teamOf } from "@/lib/domain/team";
import { ownerWords } from "@/lib/domain/waiting";
import type { RoutingPage } from "@/lib/queries/routing-page";
import { Rota } from "./rota";
import classes from "./routing.module.css";
import type { RuleDraft } from "./rule-draft";
import { RulesForm } from "./rules-form";
import { RulesTable } from "./rules-table";
import { WhoBox } from "./who-box";

interface RoutingViewProps {
  readonly tenant: string;
  readonly initial: RoutingPage;
  readonly owners: readonly OwnerChoice[];
  readonly mayEdit: boolean;
}

/** The rules, the box that asks them, and the rota; only an admin changes anything. */
export function RoutingView({ tenant, initial, owners, mayEdit }: RoutingViewProps) {
  const url = `/api/v1/t/${tenant}/routing`;
  const live = useLive<RoutingPage>([tenant, "routing"], url, initial);
  const { data } = live;
  const held = data.rules.map(draftOf);
  // What was typed, with the rules that it was typed on top of; null while nothing is being changed.
  const [typed, setTyped] = useState<Typed | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const saved = (words: string) => {
    setSaid(words);
    live.again();
  };
  return (
    <div className={classes.page}>
      <p role="status" className={classes.said}>
        {said}
      </p>
      {mayEdit ? (
        <RulesForm
          url={url}
          connections={data.connections}
          owners={owners}
          draft={typed?.rules ?? held}
          seen={typed?.seen ?? idsOf(held)}
          isChanged={typed !== null}
          onChange={(rules) => setTyped({ rules, seen: typed?.seen ?? idsOf(held) })}
          onReset={() => setTyped(null)}
          onSaved={() => {
            setTyped(null);
            saved("Saved. Open items that no person assigned follow the rules.");
          }}
        />
      ) : (
        <RulesTable rules={held} connections={data.connections} />
      )}
      <WhoBox
        rules={typed?.rules ?? held}
        connections={data.connections}
        onCallOf={(owner) => onCallWords(owner, owners)}
      />
      <Rota {...{ tenant, data, owners, mayEdit }} onSaved={saved} />
    </div>
  );
}

interface Typed {
  readonly rules: readonly RuleDraft[];
  readonly seen: readonly string[];
}

function idsOf(rules: readonly RuleDraft[]): readonly string[] {
  return rules.map(({ id }) => id);
}

/** Who of a team is on call now; null for a person, and while the whole team is told. */
function onCallWords(owner: string, owners: readonly OwnerChoice[]): string | null {
  if (!isTeam(owner)) return null;
  const people = owners.filter((one) => one.onCallNow && teamIs(one, owner));
  return people.length === 0 ? null : people.map((one) => ownerWords(one.owner)).join(", ");
}

function teamIs({ role }: OwnerChoice, team: string): boolean {
  return role !== null && teamOf(role) === team;
}

function draftOf(rule: RoutingPage["rules"][number]): RuleDraft {
  const { id, reason, kind, connectionId, owner, escalateTo, escalateAfterMinutes } = rule;
  return {
    id,
    reason,
    kind,
    connectionId,
    owner,
    escalateTo,
    escalateAfterMinutes: escalateAfterMinutes === null ? "" : String(escalateAfterMinutes),
  };
}
