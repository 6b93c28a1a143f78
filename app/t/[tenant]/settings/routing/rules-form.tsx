"use client";

import { Button } from "@mantine/core";
import { useState } from "react";
import { type ApiProblem, putJson } from "@/components/api-call";
import { ErrorSummary, type FormError } from "@/components/error-summary";
import { freshId } from "@/components/fresh-id";
import type { OwnerChoice } from "@/components/owner-picker";
import panel from "@/components/panel.module.css";
import classes from "./routing.module.css";
import { moved, type RuleDraft } from "./rule-draft";
import { RuleFields } from "./rule-fields";

interface RulesFormProps {
  readonly url: string;
  readonly connections: readonly { readonly id: string; readonly name: string }[];
  readonly owners: readonly OwnerChoice[];
  readonly draft: readonly RuleDraft[];
  /** Ids of the rules that the draft was made from; others by now are told instead of overruled. */
  readonly seen: readonly string[];
  readonly isChanged: boolean;
  readonly onChange: (draft: readonly RuleDraft[]) => void;
  readonly onReset: () => void;
  readonly onSaved: () => void;
}

/** The whole set of rules as one form: it is saved as a whole or not at all. */
export function RulesForm(props: RulesFormProps) {
  const { connections, draft, owners, isChanged, onChange, onReset } = props;
  const { save, busy, errors, attempt } = useSaveRules(props);
  const change = (place: number, patch: Partial<RuleDraft>) =>
    onChange(draft.map((rule, at) => (at === place ? { ...rule, ...patch } : rule)));
  return (
    <section className={panel.panel} aria-labelledby="rules">
      <h2 id="rules" className={panel.heading}>
        Rules, the first that fits wins
      </h2>
      <form
        noValidate
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <ErrorSummary errors={errors} attempt={attempt} />
        {draft.length === 0 ? (
          <p className={classes.note}>No rules yet: every reason goes to its own owner.</p>
        ) : null}
        {draft.map((rule, place) => (
          <RuleFields
            key={rule.id}
            rule={rule}
            number={place + 1}
            count={draft.length}
            owners={owners}
            connections={connections}
            error={errors.find(({ field }) => field === `rule-${place + 1}`)?.sentence ?? null}
            onChange={(patch) => change(place, patch)}
            onMove={(by) => onChange(moved(draft, place, by))}
            onRemove={() => onChange(draft.filter((_, at) => at !== place))}
          />
        ))}
        <p className={classes.note}>
          Last: everything that no rule fits goes to the reason's own owner.
        </p>
        <div className={classes.actions}>
          <Button type="submit" loading={busy} disabled={!isChanged}>
            Save {draft.length === 1 ? "1 rule" : `${draft.length} rules`}
          </Button>
          <Button variant="default" onClick={() => onChange([...draft, { ...NEW, id: freshId() }])}>
            Add a rule
          </Button>
          {isChanged ? (
            <Button variant="default" onClick={onReset}>
              Leave the rules as they are
            </Button>
          ) : null}
        </div>
      </form>
    </section>
  );
}

const NEW: Omit<RuleDraft, "id"> = {
  reason: null,
  kind: null,
  connectionId: null,
  owner: "",
  escalateTo: null,
  escalateAfterMinutes: "",
};

function useSaveRules({ url, seen, draft, onSaved }: RulesFormProps) {
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<readonly FormError[]>([]);
  const [attempt, setAttempt] = useState(0);
  const save = () => {
    setAttempt((count) => count + 1);
    const found = problemsOf(draft);
    setErrors(found);
    if (found.length > 0) return;
    setBusy(true);
    const rules = draft.map((rule) => ({
      ...bodyOf(rule),
      ...(seen.includes(rule.id) ? { id: rule.id } : {}),
    }));
    void putJson(url, { rules, seen }).then((answer) => {
      setBusy(false);
      if (answer.kind === "ok") return onSaved();
      setErrors(answer.kind === "lost" ? [LOST] : errorsOf(answer.problem));
    });
  };
  return { save, busy, errors, attempt };
}

const LOST: FormError = {
  field: null,
  sentence:
    "We did not hear back. The rules below are the ones that hold; save again if yours are missing.",
};

function problemsOf(draft: readonly RuleDraft[]): readonly FormError[] {
  return draft.flatMap(({ owner, escalateAfterMinutes }, place) => {
    const field = `rule-${place + 1}`;
    if (owner === "") return [{ field, sentence: `Rule ${place + 1}: choose who gets it.` }];
    if (escalateAfterMinutes === "") return [];
    const minutes = Number(escalateAfterMinutes);
    const fits = Number.isInteger(minutes) && minutes >= 1 && minutes <= 1440;
    return fits ? [] : [{ field, sentence: `Rule ${place + 1}: minutes from 1 to 1440.` }];
  });
}

function bodyOf(rule: RuleDraft) {
  const { reason, kind, connectionId, owner, escalateTo, escalateAfterMinutes } = rule;
  return {
    reason,
    kind,
    connectionId,
    owner,
    escalateTo,
    escalateAfterMinutes: escalateAfterMinutes === "" ? null : Number(escalateAfterMinutes),
  };
}

/** What the server says of a rule points at that rule; the rest stands on top. */
function errorsOf({ fields, detail }: ApiProblem): readonly FormError[] {
  const pointed = (fields ?? []).map(({ path, sentence }) => {
    const place = /^rules\.(\d+)/.exec(path)?.[1];
    return { field: place === undefined ? null : `rule-${Number(place) + 1}`, sentence };
  });
  return pointed.length === 0 ? [{ field: null, sentence: detail }] : pointed;
}
