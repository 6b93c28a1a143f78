import { route } from "@/app/_server/route";
import { MemberParams, RoleBody, ToReview } from "@/app/api/v1/t/[tenant]/members/bodies";
import { changeMemberRole } from "@/lib/flows/change-member-role";

export const POST = route(
  {
    permission: "members.manage",
    summary: "Give a member another role; it counts from the next request on",
    params: MemberParams,
    body: RoleBody,
    answer: ToReview,
  },
  ({ ctx, actor, params, body }) =>
    changeMemberRole(ctx, actor, { accountId: params.account, ...body }),
);
