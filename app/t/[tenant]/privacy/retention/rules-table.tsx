"use client";

import classes from "@/app/t/[tenant]/privacy/privacy.module.css";
import cards from "@/components/card-table.module.css";
import panels from "@/components/panel.module.css";
import { TimeWithZone } from "@/components/time-with-zone";
import { CLASS_WORDS } from "@/lib/domain/retention";
import type { RetentionPage, RuleRow } from "@/lib/queries/retention-page";
import { RuleForm } from "./rule-form";

interface RulesTableProps {
  readonly page: RetentionPage;
  /** Of privacy in the API. */
  readonly url: string;
  readonly maySave: boolean;
  heard(words: string): void;
}

/** What is kept for how long, by class; every class has an owner. */
export function RulesTable({ page, url, maySave, heard }: RulesTableProps) {
  return (
    <section className={panels.panel} aria-labelledby="schedule">
      <h2 id="schedule" className={panels.heading}>
        Schedule
      </h2>
      <div className={cards.scroll}>
        <table className={cards.table}>
          <caption>Schedule by class of records</caption>
          <thead>
            <tr>
              <th scope="col">Class</th>
              <th scope="col">Owner</th>
              <th scope="col" className={cards.number}>
                Keeps (days)
              </th>
              <th scope="col">Next run</th>
              <th scope="col" className={cards.number}>
                Due now
              </th>
              <th scope="col" className={cards.number}>
                Legal hold
              </th>
              {maySave ? <th scope="col">Change</th> : null}
            </tr>
          </thead>
          <tbody>
            {page.rules.map((rule) => (
              <Row key={rule.recordClass} {...{ rule, page, url, maySave, heard }} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface RowProps extends RulesTableProps {
  readonly rule: RuleRow;
}

function Row({ rule, page, url, maySave, heard }: RowProps) {
  const { label, goes, stays } = CLASS_WORDS[rule.recordClass];
  return (
    <tr>
      <th scope="row">
        {label}
        <span className={`${cards.second} ${classes.wrapped}`}>Goes: {goes}</span>
        <span className={`${cards.second} ${classes.wrapped}`}>Stays: {stays}</span>
      </th>
      <td data-label="Owner">{rule.ownerLabel}</td>
      <td data-label="Keeps (days)" className={cards.number}>
        {rule.days}
        {rule.version === 0 ? <span className={cards.second}>default</span> : null}
      </td>
      <td data-label="Next run">
        {page.nextRunAt === null ? (
          "with the first run"
        ) : (
          <TimeWithZone instant={page.nextRunAt} kind="moment" form="one" />
        )}
      </td>
      <td data-label="Due now" className={cards.number}>
        {rule.due}
      </td>
      <td data-label="Legal hold" className={cards.number}>
        {rule.held}
      </td>
      {maySave ? (
        <td data-label="Change">
          <RuleForm
            key={rule.version}
            rule={rule}
            owners={page.owners}
            url={`${url}/retention/${rule.recordClass}`}
            heard={heard}
          />
        </td>
      ) : null}
    </tr>
  );
}
