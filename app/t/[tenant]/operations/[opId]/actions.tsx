"use client";

import { Button } from "@mantine/core";
import Link from "next/link";
import { useState } from "react";
import { type ApiAnswer, postJson } from "@/components/api-call";
import { Fact } from "@/components/fact";
import { useFrame } from "@/components/frame/frame-facts";
import { freshId } from "@/components/fresh-id";
import { roleMay } from "@/lib/domain/role";
import type { OperationPage } from "@/lib/queries/operation-page";
import { Withdrawal, type WithdrawalKind } from "./withdrawal";

interface ActionsProps {
  readonly tenant: string;
  readonly page: OperationPage;
  again(): void;
}

/** What this person may do with the operation in its present state; nothing here sends anything to a platform. */
export function Actions({ tenant, page, again }: ActionsProps) {
  const [said, setSaid] = useState<string | null>(null);
  const { operation } = page;
  const offer = useOffer(page);
  const done = (words: string) => {
    setSaid(words);
    again();
  };
  return (
    <>
      {said === null ? null : <Fact>{said}</Fact>}
      {offer.check ? <CheckNow tenant={tenant} opId={operation.opId} done={done} /> : null}
      {operation.state === "proposed" ? (
        <Button component={Link} href={`/t/${tenant}/approvals/${operation.opId}`}>
          Open approval
        </Button>
      ) : null}
      {offer.withdrawals.map((kind) => (
        <Withdrawal key={kind} kind={kind} tenant={tenant} operation={operation} done={done} />
      ))}
    </>
  );
}

function useOffer(page: OperationPage) {
  const { role } = useFrame();
  const { operation, approvals, persons } = page;
  const pending = operation.state === "proposed" || operation.state === "scheduled";
  const authors = [operation.proposedBy, operation.editedBy];
  const mine = authors.some((name) => name !== null && persons[name]?.you === true);
  const approvedByMe = approvals.some(
    ({ by, decision, revokedAt }) =>
      decision === "approve" && revokedAt === null && persons[by]?.you === true,
  );
  const withdrawals: WithdrawalKind[] = [];
  // Once a call may have left, only a read can tell what happened (RC-8).
  if (pending && operation.attempts === 0 && mine && roleMay(role, "operation.edit")) {
    withdrawals.push("proposal");
  }
  if (pending && approvedByMe && roleMay(role, "operation.approve")) withdrawals.push("approval");
  const check = operation.state === "needs_reconcile" && roleMay(role, "operation.check");
  return { check, withdrawals };
}

interface CheckNowProps {
  readonly tenant: string;
  readonly opId: string;
  done(words: string): void;
}

/** Makes the next look come now. It reads the platform and repeats nothing. */
function CheckNow({ tenant, opId, done }: CheckNowProps) {
  const [busy, setBusy] = useState(false);
  const check = async () => {
    setBusy(true);
    const url = `/api/v1/t/${tenant}/operations/${opId}/checks`;
    const answer = await postJson<{ asked: boolean }>(url, {}, freshId());
    setBusy(false);
    done(checkWords(answer));
  };
  return (
    <Button variant="default" loading={busy} onClick={() => void check()}>
      Check now
    </Button>
  );
}

function checkWords(answer: ApiAnswer<{ asked: boolean }>): string {
  switch (answer.kind) {
    case "ok":
      return answer.data.asked
        ? "Asked for. The worker looks at the platform now; nothing is being changed."
        : "It is being looked at already. Nothing is being changed.";
    case "refused":
      return answer.problem.detail;
    case "lost":
      return "We did not hear back. The look comes by itself at its time in any case.";
  }
}
