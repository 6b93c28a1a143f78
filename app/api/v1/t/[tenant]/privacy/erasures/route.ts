import { route } from "@/app/_server/route";
import { ErasureBody, IdAnswer } from "@/app/api/v1/t/[tenant]/privacy/bodies";
import { askErasure } from "@/lib/flows/ask-erasure";
import { erasuresPage } from "@/lib/queries/erasures-page";

export const GET = route(
  { permission: "privacy.view", summary: "List erasures, the newest first" },
  ({ ctx, actor }) => erasuresPage(ctx.db, actor.tenantId, { accountId: actor.id }),
);

export const POST = route(
  {
    permission: "erasure.request",
    summary: "Ask for the erasure of a person's data; another person has to confirm it",
    body: ErasureBody,
    answer: IdAnswer,
    status: 201,
  },
  ({ ctx, actor, body }) => askErasure(ctx, actor, body),
);
