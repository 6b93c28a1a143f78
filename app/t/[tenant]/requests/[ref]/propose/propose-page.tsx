import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import type { OperationKind } from "@/lib/domain/operation";
import { KIND_WORDS } from "@/lib/domain/payload-words";
import { REFUSALS } from "@/lib/domain/refusal-words";
import { endedSentence } from "@/lib/domain/request-end";
import { filled } from "@/lib/domain/sentence";
import { type ProposeView, proposePage } from "@/lib/queries/propose-page";

interface ProposePageProps {
  readonly tenant: string;
  /** Our reference of the request. */
  readonly about: string;
  readonly kind: OperationKind;
  readonly children: (view: ProposeView) => ReactNode;
}

/** The page of a proposal: its heading, and the form unless it could only be refused. */
export async function ProposePage({ tenant, about: ref, kind, children }: ProposePageProps) {
  const { ctx, actor } = await requirePage(tenant, "operation.propose");
  const view = await proposePage(ctx.db, actor.tenantId, actor.id, ref, kind);
  if (view === null) notFound();
  const { noun } = KIND_WORDS[kind];
  const refused = refusalOf(view, kind);
  return (
    <>
      <PageHead
        title={`Propose ${noun} of ${ref}`}
        here={`Propose ${noun}`}
        crumbs={[
          { label: "Requests", href: `/t/${tenant}/requests` },
          { label: ref, href: `/t/${tenant}/requests/${ref}` },
        ]}
      />
      {refused === null ? children(view) : <p>{refused}</p>}
    </>
  );
}

/** Why no proposal of this kind would be taken now; null when one may be. */
function refusalOf({ request, mode }: ProposeView, kind: OperationKind): string | null {
  const ended = endedSentence(request.status, request.descriptor);
  if (ended !== null) return ended;
  if (mode === "off") return filled(REFUSALS.mode_off.sentence, { kind: KIND_WORDS[kind].verb });
  if (kind === "remind" && request.reminderOwner === "platform") {
    return REFUSALS.reminder_owner_platform.sentence;
  }
  return null;
}
