import { route } from "@/app/_server/route";
import { MemberParams } from "@/app/api/v1/t/[tenant]/members/bodies";
import { Refusal } from "@/lib/domain/refusal";
import { memberPage } from "@/lib/queries/member-page";

export const GET = route(
  {
    permission: "members.manage",
    summary: "Show one member with the open sessions and what was done about the member",
    params: MemberParams,
  },
  async ({ ctx, actor, params }) => {
    const page = await memberPage(ctx.db, actor.tenantId, actor.id, params.account);
    if (page === null) throw new Refusal("not_found");
    return page;
  },
);
