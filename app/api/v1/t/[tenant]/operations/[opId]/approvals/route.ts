import { z } from "zod";
import { route } from "@/app/_server/route";
import { ApprovalBody, idIn, OpIdParams } from "@/app/api/v1/t/[tenant]/bodies";
import { approve } from "@/lib/flows/approve";

export const POST = route(
  {
    permission: "operation.approve",
    summary: "Approve exactly the version and bytes that were on screen",
    params: OpIdParams,
    body: ApprovalBody,
    answer: z.object({
      opId: z.guid(),
      state: z.string(),
      approvedAt: z.string(),
      already: z.boolean().describe("True when it was approved before and nothing was added now"),
      byYou: z.boolean(),
    }),
  },
  ({ ctx, actor, params, body: { version, hash, receiptId } }) =>
    approve(ctx, actor, {
      opId: idIn(params.opId),
      version,
      hash,
      receiptId: receiptId ?? null,
    }),
);
