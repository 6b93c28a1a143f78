"use client";

import { useState } from "react";
import { useLive } from "@/components/frame/live";
import { ViewTabs } from "@/components/view-tabs";
import { KIND_WORDS } from "@/lib/domain/payload-words";
import { POLICY_KINDS } from "@/lib/domain/policy-words";
import type { PolicyPage } from "@/lib/queries/policy-page";
import classes from "./policy.module.css";
import { PolicyForm } from "./policy-form";
import { PolicyRules } from "./policy-rules";
import { PolicyVersions } from "./policy-versions";

interface PolicyDetailProps {
  readonly tenant: string;
  readonly initial: PolicyPage;
  readonly mayEdit: boolean;
}

/** The policy that holds for new proposals, the form for the next version, and every version before. */
export function PolicyDetail({ tenant, initial, mayEdit }: PolicyDetailProps) {
  const { kind } = initial;
  const { data, again } = useLive(
    [tenant, "policy", kind],
    `/api/v1/t/${tenant}/policies/${kind}`,
    initial,
  );
  const [saved, setSaved] = useState<number | null>(null);
  const [present] = data.versions;
  const tabs = POLICY_KINDS.map((one) => ({
    label: KIND_WORDS[one].verb,
    href: `/t/${tenant}/settings/policies/${one}`,
    active: one === kind,
  }));
  return (
    <div className={classes.page}>
      <ViewTabs label="Kinds" tabs={tabs} />
      {saved === null ? null : (
        <p role="status" className={classes.saved}>
          Version {saved} holds for new proposals.
        </p>
      )}
      {mayEdit ? (
        <PolicyForm
          // A new version is a new form; what was typed on top of the old one is compared again.
          key={present.version}
          tenant={tenant}
          page={data}
          onSaved={(version) => {
            setSaved(version);
            again();
          }}
        />
      ) : (
        <PolicyRules kind={kind} version={present} />
      )}
      <PolicyVersions kind={kind} versions={data.versions} />
    </div>
  );
}
