import { z } from "zod";
import { route } from "@/app/_server/route";
import { ConfirmationBody, IdParam } from "@/app/api/v1/t/[tenant]/privacy/bodies";
import { confirmErasure } from "@/lib/flows/confirm-erasure";

export const POST = route(
  {
    permission: "erasure.confirm",
    summary: "Confirm an erasure that another person asked for; the data are destroyed at once",
    params: IdParam,
    body: ConfirmationBody,
    answer: z.object({
      id: z.guid(),
      erasedAt: z.iso.datetime(),
      destroyed: z.object({
        keys: z.int(),
        contacts: z.int(),
        texts: z.int(),
        bodies: z.int(),
      }),
      operations: z.int().describe("How many operations were open and are with a person now"),
    }),
    status: 201,
  },
  ({ ctx, actor, params, body }) => confirmErasure(ctx, actor, { id: params.id, ...body }),
);
