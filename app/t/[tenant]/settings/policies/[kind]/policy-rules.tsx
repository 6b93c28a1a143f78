import panel from "@/components/panel.module.css";
import { POLICY_LABELS, type PolicyKind, rulesOf, ruleWords } from "@/lib/domain/policy-words";
import type { PolicyVersionView } from "@/lib/queries/policy-page";

interface PolicyRulesProps {
  readonly kind: PolicyKind;
  readonly version: PolicyVersionView;
}

/** The rules of one version in words, for those who only read. */
export function PolicyRules({ kind, version: { version, policy } }: PolicyRulesProps) {
  return (
    <section className={panel.panel} aria-labelledby="rules">
      <h2 className={panel.heading} id="rules">
        Version {version} holds for new proposals
      </h2>
      <dl className={panel.pairs}>
        {rulesOf(kind).map((field) => (
          <div key={field} style={{ display: "contents" }}>
            <dt>{POLICY_LABELS[field]}</dt>
            <dd>{ruleWords(policy, field)}</dd>
          </div>
        ))}
      </dl>
      <p className={panel.dimmed}>Only an admin writes the next version.</p>
    </section>
  );
}
