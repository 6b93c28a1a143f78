import { z } from "zod";
import { route } from "@/app/_server/route";
import { deadlineIn, EditBody, idIn, OpIdParams } from "@/app/api/v1/t/[tenant]/bodies";
import { editProposal } from "@/lib/flows/edit-proposal";

export const POST = route(
  {
    permission: "operation.edit",
    summary: "Put another deadline into a proposal, as its next version",
    params: OpIdParams,
    body: EditBody,
    answer: z.object({ opId: z.guid(), version: z.int(), hash: z.string() }),
  },
  ({ ctx, actor, params, body }) => {
    const { version, reason } = body;
    return editProposal(ctx, actor, {
      ...deadlineIn(body),
      opId: idIn(params.opId),
      version,
      reason,
    });
  },
);
