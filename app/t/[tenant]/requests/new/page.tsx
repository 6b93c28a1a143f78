import type { Metadata } from "next";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { KIND_WORDS } from "@/lib/domain/payload-words";
import { REFUSALS } from "@/lib/domain/refusal-words";
import { filled } from "@/lib/domain/sentence";
import { newSendPage } from "@/lib/queries/new-send-page";
import { SendForm } from "./send-form";

export const metadata: Metadata = { title: "Propose a send" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
}

export default async function NewSendPage({ params }: Props) {
  const { tenant } = await params;
  const { ctx, actor } = await requirePage(tenant, "operation.propose");
  const view = await newSendPage(ctx.db, actor.tenantId);
  return (
    <>
      <PageHead
        title="Propose a send"
        crumbs={[{ label: "Requests", href: `/t/${tenant}/requests` }]}
      />
      {view.mode === "off" ? (
        <p>{filled(REFUSALS.mode_off.sentence, { kind: KIND_WORDS.send.verb })}</p>
      ) : (
        <SendForm tenant={tenant} view={view} />
      )}
    </>
  );
}
