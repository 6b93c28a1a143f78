import { z } from "zod";
import { route } from "@/app/_server/route";
import { MemberParams, SessionEndBody } from "@/app/api/v1/t/[tenant]/members/bodies";
import { endMemberSessions } from "@/lib/flows/end-member-sessions";

export const POST = route(
  {
    permission: "members.manage",
    summary: "End one or all open sessions of a member at once",
    params: MemberParams,
    body: SessionEndBody,
    answer: z.object({ ended: z.int() }),
  },
  ({ ctx, actor, params, body }) =>
    endMemberSessions(ctx, actor, { accountId: params.account, ...body }),
);
