"use client";

import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { AskedAct } from "@/app/t/[tenant]/outbox/asked-act";
import classes from "@/app/t/[tenant]/settings/members/members.module.css";
import panels from "@/components/panel.module.css";
import { removalConsequence, roleConsequence, roleWithArticle } from "@/lib/domain/member-acts";
import { ROLE_LABELS, ROLES, type Role } from "@/lib/domain/role";
import type { MemberRow } from "@/lib/queries/member-rows";

interface AccessPanelProps {
  readonly member: MemberRow;
  /** Of the member in the API. */
  readonly url: string;
  heard(words: string): void;
  removed(words: string): void;
}

interface Lost {
  readonly toReview: number;
}

const LOST = "We did not hear back. What is shown here is the present state.";

/** The role, and the way out; both act with the next request of the member. */
export function AccessPanel({ member, url, heard, removed }: AccessPanelProps) {
  const { role: shownRole, approvedWaiting, shifts } = member;
  const [role, setRole] = useState<Role>(shownRole);
  return (
    <section className={panels.panel} aria-label="Access">
      <h2 className={panels.heading}>Access</h2>
      <div className={classes.stack}>
        {member.lastAdmin ? (
          <p>
            This is the last admin, so neither role nor membership can end. Make somebody else an
            admin first.
          </p>
        ) : (
          <>
            <NativeSelect
              label="Role"
              value={role}
              data={ROLES.map((value) => ({ value, label: ROLE_LABELS[value] }))}
              onChange={(event) => setRole(event.currentTarget.value as Role)}
            />
            {role === shownRole ? null : (
              <AskedAct<Lost>
                button={`Change to ${ROLE_LABELS[role]}`}
                question={`Make this member ${roleWithArticle(role)}?`}
                consequence={roleConsequence(role, approvedWaiting, shifts)}
                keep={`Keep ${ROLE_LABELS[shownRole]}`}
                url={`${url}/roles`}
                body={{ role, shownRole }}
                done={(answer) =>
                  heard(answer ? `Changed to ${ROLE_LABELS[role]}. ${sentTo(answer)}` : LOST)
                }
              />
            )}
            <AskedAct<Lost>
              button="Remove member"
              question="Remove this member?"
              consequence={removalConsequence(approvedWaiting, shifts)}
              keep="Keep the member"
              danger
              url={`${url}/removals`}
              body={{ shownRole }}
              done={(answer) =>
                answer ? removed(`The member is removed. ${sentTo(answer)}`) : heard(LOST)
              }
            />
          </>
        )}
      </div>
    </section>
  );
}

function sentTo({ toReview }: Lost): string {
  if (toReview === 0) return "No operation lost its approval.";
  return toReview === 1 ? "1 operation went to review." : `${toReview} operations went to review.`;
}
