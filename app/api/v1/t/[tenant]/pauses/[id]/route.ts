import { route } from "@/app/_server/route";
import { PauseParams } from "@/app/api/v1/t/[tenant]/control-bodies";
import { resumePreview } from "@/lib/queries/resume-preview";

export const GET = route(
  {
    permission: "ledger.view",
    summary: "What opening a switch would do now, and who asked for it",
    params: PauseParams,
  },
  ({ ctx, actor, params }) => resumePreview(ctx.db, actor.tenantId, params.id, actor.id),
);
