import { route } from "@/app/_server/route";
import {
  changeIn,
  deadlineIn,
  ExtensionBody,
  ProposedAnswer,
  RefParams,
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
  ({ ctx, actor, params, body }) =>
    proposeExtension(ctx, actor, { ...changeIn(body, params.ref), ...deadlineIn(body) }),
);
