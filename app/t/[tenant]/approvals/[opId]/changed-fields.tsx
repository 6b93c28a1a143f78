import type { ChangedField } from "@/components/before-after";
import { TimeWithZone } from "@/components/time-with-zone";
import { formatStep } from "@/lib/domain/deadline";
import type { ApproveView } from "@/lib/queries/approve-page";

/** What the approval would change, with the basis that the proposer saw. */
export function changedFields(view: ApproveView): readonly ChangedField[] {
  const { asked, request, plain } = view;
  if (asked === null || asked.targetAt === null) return plainFields(plain?.rows ?? []);
  const { targetAt, deadline, expected } = asked;
  const zone = deadline?.zone ?? request.zone;
  const fields = [instantField("Platform expiry", expected?.expiresAt ?? null, targetAt, zone)];
  if (deadline !== null) {
    // Once it is approved the request carries the new deadline; the one before stands in the history.
    const before = view.state === "proposed" ? (request.businessDeadline?.at ?? null) : null;
    fields.push(instantField("Business deadline", before, deadline.instant, zone));
  }
  const reminders = plain?.rows.find(({ label }) => label === "Reminders");
  if (reminders) {
    const same = view.kind === "extend";
    fields.push({ label: "Reminders", before: "–", after: reminders.after ?? "–", same });
  }
  return fields;
}

function instantField(
  label: string,
  before: string | null,
  after: string,
  zone: string,
): ChangedField {
  return {
    label,
    before: before === null ? "–" : <TimeWithZone instant={before} kind="deadline" zone={zone} />,
    after: <TimeWithZone instant={after} kind="deadline" zone={zone} />,
    ...(before === null ? {} : { step: formatStep(before, after) }),
  };
}

type Rows = NonNullable<ApproveView["plain"]>["rows"];

function plainFields(rows: Rows): readonly ChangedField[] {
  return rows
    .filter(({ after }) => after !== null)
    .map(({ label, before, after }) => ({ label, before: before ?? "–", after }));
}
