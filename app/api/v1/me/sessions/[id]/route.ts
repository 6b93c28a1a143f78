import { z } from "zod";
import { personRoute } from "@/app/_server/route";
import { Refusal } from "@/lib/domain/refusal";
import { endSession } from "@/lib/flows/end-session";

export const DELETE = personRoute(
  {
    summary: "End one of your own sessions",
    params: z.object({ id: z.guid() }),
    answer: z.object({ ended: z.boolean() }),
  },
  async ({ ctx, session, params }) => {
    const ended = await endSession(ctx, { id: params.id, accountId: session.accountId });
    if (!ended) throw new Refusal("not_found");
    return { ended };
  },
);
