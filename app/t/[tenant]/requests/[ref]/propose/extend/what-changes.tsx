"use client";

import classes from "@/app/t/[tenant]/requests/[ref]/propose/propose.module.css";
import { RuleLine } from "@/app/t/[tenant]/requests/[ref]/propose/rule-line";
import { BeforeAfter, type ChangedField } from "@/components/before-after";
import { instantList } from "@/components/instant-list";
import { approvedTimers } from "@/lib/domain/approved-timers";
import type { BusinessDeadline } from "@/lib/domain/business-deadline";
import { formatLocal, formatStep } from "@/lib/domain/deadline";
import { roundingSentence } from "@/lib/domain/promise-words";
import type { ProposeView } from "@/lib/queries/propose-page";

interface WhatChangesProps {
  readonly view: ProposeView;
  readonly deadline: BusinessDeadline | null;
}

/** Before and after, what the platform will make of it, and who has to approve. */
export function WhatChanges({ view, deadline }: WhatChangesProps) {
  const { request } = view;
  const rounding =
    deadline === null
      ? null
      : roundingSentence(request.descriptor, deadline.instant, deadline.zone);
  return (
    <div className={classes.changes}>
      <BeforeAfter caption="What changes" fields={fieldsOf(view, deadline)} />
      {rounding === null ? null : <p>{rounding}</p>}
      <RuleLine view={view} />
    </div>
  );
}

function fieldsOf(view: ProposeView, deadline: BusinessDeadline | null): ChangedField[] {
  const { request } = view;
  const zone = deadline?.zone ?? request.zone;
  const words = (instant: string | null) => (instant === null ? "–" : formatLocal(instant, zone));
  const change = (label: string, before: string | null): ChangedField => ({
    label,
    before: words(before),
    after: words(deadline?.instant ?? null),
    ...(before !== null && deadline !== null ? { step: formatStep(before, deadline.instant) } : {}),
  });
  return [
    change("Platform expiry", request.platformExpiresAt),
    change("Business deadline", request.businessDeadline?.at ?? null),
    remindersField(view, deadline, zone),
  ];
}

/** The reminders that would be approved with it, planned from now by the present policy (TM-3). */
function remindersField(
  { request, reminders, timing }: ProposeView,
  deadline: BusinessDeadline | null,
  zone: string,
): ChangedField {
  const { now: from, reminderOwner: owner } = request;
  const planned = deadline && approvedTimers({ ...timing, owner, from, deadline }).reminders;
  const before = instantList(reminders, zone);
  const after = planned === null ? "–" : instantList(planned, zone);
  return { label: "Planned reminders", before, after, same: before === after };
}
