import type { ChangedField } from "@/components/before-after";
import { instantList } from "@/components/instant-list";
import { TimeWithZone } from "@/components/time-with-zone";
import type { Asked } from "@/lib/domain/asked";
import { zoneOf } from "@/lib/domain/asked";
import { formatMoment, formatStep } from "@/lib/domain/deadline";
import { REQUEST_WORDS, type RequestWordCode } from "@/lib/domain/words";
import type { ApproveView } from "@/lib/queries/approve-page";

/** What the approval would change, with the basis that the proposer saw. */
export function changedFields(view: ApproveView): readonly ChangedField[] {
  const { asked, plain } = view;
  if (asked === null) return plainFields(plain?.rows ?? []);
  switch (asked.kind) {
    case "extend":
    case "send":
      return deadlineFields(view, asked);
    case "remind":
      return contactFields(view, asked, "Last reminder", view.request.lastReminderAt);
    case "resend":
      return [
        ...contactFields(view, asked, "Last delivery", view.request.lastDeliveryAt),
        movedField(view, asked),
      ];
    case "expire":
      return [statusField(asked, "expired"), closingField(view, asked)];
    case "void":
      return [
        statusField(asked, "voided"),
        {
          label: "Signers see",
          before: "–",
          after: asked.showsReason ? "the proposer's reason" : "no reason",
        },
      ];
    case "sign":
    case "finalize":
      return plainFields(plain?.rows ?? []);
  }
}

function deadlineFields(view: ApproveView, asked: Asked): readonly ChangedField[] {
  const { request, plain } = view;
  const { targetAt, deadline, expected } = asked;
  const zone = zoneOf(asked, request.zone);
  const fields: ChangedField[] = [];
  if (targetAt !== null) {
    fields.push(instantField("Platform expiry", expected?.expiresAt ?? null, targetAt, zone));
  }
  if (deadline !== null) {
    // Once it is approved the request carries the new deadline; the one before stands in the history.
    const before = view.state === "proposed" ? (request.businessDeadline?.at ?? null) : null;
    fields.push(instantField("Business deadline", before, deadline.instant, zone));
  }
  if (asked.timers !== null) fields.push(...timerFields(view, asked.timers, zone));
  const owner = plain?.rows.find(({ label }) => label === "Reminders");
  if (asked.kind === "send" && owner) {
    fields.push({ label: "Who reminds", before: "–", after: owner.after ?? "–" });
  }
  return fields;
}

function timerFields(
  { planned, state }: ApproveView,
  { reminders, closesAtDeadline }: NonNullable<Asked["timers"]>,
  zone: string,
): readonly ChangedField[] {
  const before = state === "proposed" ? instantList(planned, zone) : "–";
  const after = instantList(reminders, zone);
  return [
    { label: "Planned reminders", before, after, same: before === after },
    {
      label: "Closed by this console",
      before: "–",
      after: closesAtDeadline ? "at the business deadline" : "no",
      same: !closesAtDeadline,
    },
  ];
}

function contactFields(
  view: ApproveView,
  asked: Asked,
  label: string,
  at: string | null,
): readonly ChangedField[] {
  const signers = `${asked.signers} ${asked.signers === 1 ? "signer" : "signers"}`;
  const fields: ChangedField[] = [
    {
      label,
      before: at === null ? "none shown" : formatMoment(at),
      after: `a new one to ${signers}`,
    },
  ];
  if (view.kind === "remind") {
    const message = asked.hasMessage ? "a message, in the vault" : "no message of its own";
    fields.push({ label: "Message", before: "–", after: message, same: !asked.hasMessage });
  }
  return fields;
}

/** What the platform does to the expiry by itself. */
function movedField({ request }: ApproveView, asked: Asked): ChangedField {
  const zone = zoneOf(asked, request.zone);
  const from = asked.expected?.expiresAt ?? null;
  const before = from === null ? "–" : <TimeWithZone instant={from} kind="deadline" zone={zone} />;
  if (!asked.movesExpiry) return { label: "Platform expiry", before, after: before, same: true };
  const after =
    asked.targetAt === null ? (
      "counted anew from the call"
    ) : (
      <>
        about <TimeWithZone instant={asked.targetAt} kind="deadline" zone={zone} />
      </>
    );
  return { label: "Platform expiry", before, after, step: "counted anew from the call" };
}

function closingField({ request }: ApproveView, asked: Asked): ChangedField {
  const zone = zoneOf(asked, request.zone);
  const from = asked.expected?.expiresAt ?? null;
  if (asked.targetAt !== null) return instantField("Closes", from, asked.targetAt, zone);
  return {
    label: "Closes",
    before: from === null ? "–" : <TimeWithZone instant={from} kind="deadline" zone={zone} />,
    after: "now, when a worker takes it",
  };
}

function statusField({ expected }: Asked, end: "expired" | "voided"): ChangedField {
  const before = expected && REQUEST_WORDS[expected.status as RequestWordCode].label;
  return { label: "Status", before: before ?? "–", after: REQUEST_WORDS[end].label };
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
