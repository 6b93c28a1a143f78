"use client";

import { Button } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { BeforeAfter } from "@/components/before-after";
import { ErrorSummary } from "@/components/error-summary";
import panel from "@/components/panel.module.css";
import { changedRules } from "@/lib/domain/policy-words";
import type { PolicyPage } from "@/lib/queries/policy-page";
import classes from "./policy.module.css";
import { PolicyFields } from "./policy-fields";
import { useSavePolicy } from "./use-save-policy";

interface PolicyFormProps {
  readonly tenant: string;
  readonly page: PolicyPage;
  onSaved(version: number): void;
}

/** The next version of a policy: old and new stand side by side before anything is saved. */
export function PolicyForm({ tenant, page, onSaved }: PolicyFormProps) {
  const [present] = page.versions;
  const { kind } = page;
  const [draft, setDraft] = useState(present.policy);
  const { save, busy, errors, attempt } = useSavePolicy(tenant, kind, onSaved);
  const changed = changedRules(kind, present.policy, draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(present.version, draft);
  };
  return (
    <section className={panel.panel} aria-labelledby="rules">
      <h2 className={panel.heading} id="rules">
        Version {present.version} holds for new proposals
      </h2>
      <form onSubmit={submit} noValidate>
        <ErrorSummary errors={errors} attempt={attempt} />
        <div className={classes.fields}>
          <PolicyFields kind={kind} draft={draft} onChange={setDraft} />
          {changed.length === 0 ? (
            <p className={classes.effect}>Nothing is changed yet.</p>
          ) : (
            <BeforeAfter
              caption="What saving changes"
              beforeLabel="Old"
              afterLabel="New"
              fields={changed}
            />
          )}
          <p className={classes.effect}>{effectWords(page)}</p>
          <div>
            <Button type="submit" loading={busy} disabled={changed.length === 0}>
              Save version {present.version + 1}
            </Button>
          </div>
        </div>
      </form>
    </section>
  );
}

/** "Applies to new proposals. 2 pending keep v3." */
function effectWords({ pending, underWay }: PolicyPage): string {
  const kept = pending.map(({ version, count }) => ` ${count} pending keep v${version}.`).join("");
  const going = underWay === 0 ? "" : ` ${underWay} approved and not settled are not touched.`;
  return `Applies to new proposals.${kept}${going}`;
}
