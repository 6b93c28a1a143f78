import cards from "@/components/card-table.module.css";
import panel from "@/components/panel.module.css";
import { personWords } from "@/components/person-words";
import { TimeWithZone } from "@/components/time-with-zone";
import { changedRules, type PolicyKind } from "@/lib/domain/policy-words";
import type { PolicyVersionView } from "@/lib/queries/policy-page";

interface PolicyVersionsProps {
  readonly kind: PolicyKind;
  readonly versions: readonly PolicyVersionView[];
}

/** Every version with author, time and what it changed. */
export function PolicyVersions({ kind, versions }: PolicyVersionsProps) {
  return (
    <section className={panel.panel} aria-label="Versions">
      <div className={cards.scroll}>
        <table className={cards.table}>
          <caption>Versions</caption>
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">Saved by</th>
              <th scope="col">Saved at</th>
              <th scope="col">Changed</th>
            </tr>
          </thead>
          <tbody>
            {versions.map((version, place) => (
              <VersionRow
                key={version.version}
                kind={kind}
                version={version}
                before={versions[place + 1] ?? null}
              />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface VersionRowProps {
  readonly kind: PolicyKind;
  readonly version: PolicyVersionView;
  readonly before: PolicyVersionView | null;
}

function VersionRow({ kind, version, before }: VersionRowProps) {
  const changed = before === null ? [] : changedRules(kind, before.policy, version.policy);
  return (
    <tr>
      <th scope="row">v{version.version}</th>
      <td data-label="Saved by">
        {version.by === null ? "the installation" : personWords(version.by)}
      </td>
      <td data-label="Saved at">
        {version.at === null ? "–" : <TimeWithZone instant={version.at} kind="moment" />}
      </td>
      <td data-label="Changed">
        {before === null ? "The first version." : changed.length === 0 ? "Nothing." : null}
        {changed.map(({ field, label, before: old, after }) => (
          <span key={field} className={cards.second}>
            {label}: {old} → {after}
          </span>
        ))}
      </td>
    </tr>
  );
}
