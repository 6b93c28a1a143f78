import type { Metadata } from "next";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { roleMay } from "@/lib/domain/role";
import { controlsPage } from "@/lib/queries/controls-page";
import { limitsPage } from "@/lib/queries/limits";
import { ControlsView } from "./controls-view";
import { LimitsPanel } from "./limits-panel";
import { PauseButton } from "./pause-button";

export const metadata: Metadata = { title: "Kill switch and modes" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
}

export default async function ControlsPageRoute({ params }: Props) {
  const { tenant } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  const initial = await controlsPage(ctx, actor.tenantId, actor.id);
  return (
    <>
      <PageHead
        title="Kill switch and modes"
        note="What may run at all, who changed that, and what it holds back."
        action={<PauseButton />}
      />
      <ControlsView
        tenant={tenant}
        initial={initial}
        mayResume={roleMay(actor.role, "control.resume")}
        mayChangeModes={roleMay(actor.role, "control.mode")}
      >
        <LimitsPanel
          tenant={tenant}
          initial={await limitsPage(ctx.db, actor.tenantId)}
          mayChange={roleMay(actor.role, "control.limits")}
        />
      </ControlsView>
    </>
  );
}
