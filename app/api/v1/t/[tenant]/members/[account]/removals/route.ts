import { route } from "@/app/_server/route";
import { MemberParams, RemovalBody, ToReview } from "@/app/api/v1/t/[tenant]/members/bodies";
import { removeMember } from "@/lib/flows/remove-member";

export const POST = route(
  {
    permission: "members.manage",
    summary: "Remove a member; access ends with the next request",
    params: MemberParams,
    body: RemovalBody,
    answer: ToReview,
  },
  ({ ctx, actor, params, body }) =>
    removeMember(ctx, actor, { accountId: params.account, ...body }),
);
