import { route } from "@/app/_server/route";
import {
  deadlineIn,
  ExtensionBody,
  ProposedAnswer,
  RefParams,
  refIn,
} from "@/app/api/v1/t/[tenant]/bodies";
import { proposeExtension } from "@/lib/flows/propose-extension";

export const POST = route(
  {
    permission: "operation.propose",
    summary: "Propose a later deadline for a request",
    params: RefParams,
    body: ExtensionBody,
    answer: ProposedAnswer,
  },
  ({ ctx, actor, params, body }) => {
    const { approvalId, reason, supersedesOpId, goOnReason } = body;
    return proposeExtension(ctx, actor, {
      ...deadlineIn(body),
      approvalId,
      requestRef: refIn(params.ref),
      reason,
      supersedesOpId: supersedesOpId ?? null,
      goOnReason: goOnReason ?? null,
    });
  },
);
