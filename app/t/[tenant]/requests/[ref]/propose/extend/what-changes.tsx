"use client";

import { BeforeAfter, type ChangedField } from "@/components/before-after";
import type { BusinessDeadline } from "@/lib/domain/business-deadline";
import { formatLocal, formatStep } from "@/lib/domain/deadline";
import type { Policy } from "@/lib/domain/policy";
import { roundingSentence } from "@/lib/domain/promise-words";
import { ROLE_LABELS } from "@/lib/domain/role";
import type { ProposeView } from "@/lib/queries/propose-page";
import classes from "./propose.module.css";

interface WhatChangesProps {
  readonly view: ProposeView;
  readonly deadline: BusinessDeadline | null;
}

/** Before and after, what the platform will make of it, and who has to approve. */
export function WhatChanges({ view, deadline }: WhatChangesProps) {
  const { request, rule, open } = view;
  const rounding =
    deadline === null
      ? null
      : roundingSentence(request.descriptor, deadline.instant, deadline.zone);
  const waiting = open.filter(({ state }) => state !== "proposed").length;
  return (
    <div className={classes.changes}>
      <BeforeAfter caption="What changes" fields={fieldsOf(view, deadline)} />
      {rounding === null ? null : <p>{rounding}</p>}
      <p>
        {ruleSentence(rule)} Waiting before this:{" "}
        {waiting === 0
          ? "nothing."
          : `${waiting} open ${waiting === 1 ? "operation" : "operations"}.`}
      </p>
    </div>
  );
}

function fieldsOf(
  { request, reminders }: ProposeView,
  deadline: BusinessDeadline | null,
): ChangedField[] {
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
    {
      label: "Reminders",
      before: reminders.length === 0 ? "none planned here" : reminders.map(words).join(", "),
      after: reminders.length === 0 ? "none planned here" : "planned anew when it is confirmed",
      same: reminders.length === 0,
    },
  ];
}

/** "Approval: 1 account manager other than you, within 24 h." */
export function ruleSentence(rule: Policy): string {
  const roles = rule.approverRoles.map((role) => ROLE_LABELS[role]).join(" or ");
  const who = `${rule.quorum} ${roles}${rule.quorum === 1 ? "" : "s"}`;
  return `Approval: ${who}${rule.fourEyes ? " other than you" : ""}, within ${rule.validityHours} h.`;
}
