import type { Metadata } from "next";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { roleMay } from "@/lib/domain/role";
import { noticeSettingsPage } from "@/lib/queries/notice-settings-page";
import { NotificationsView } from "./notifications-view";

export const metadata: Metadata = { title: "Notifications" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
}

export default async function NotificationsPage({ params }: Props) {
  const { tenant } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  const initial = await noticeSettingsPage(ctx, actor.tenantId);
  return (
    <>
      <PageHead
        title="Notifications"
        crumbs={[{ label: "Settings", href: `/t/${tenant}/settings` }]}
        note="Where this tenant is told of what waits. How you yourself are told is in your own settings."
      />
      <NotificationsView
        tenant={tenant}
        initial={initial}
        mayAct={roleMay(actor.role, "notices.manage")}
      />
    </>
  );
}
