import { z } from "zod";
import { route } from "@/app/_server/route";
import { idIn } from "@/app/api/v1/t/[tenant]/bodies";
import { readOrder } from "@/lib/flows/order-read";

export const GET = route(
  {
    permission: "ledger.view",
    summary: "See where an ordered read stands",
    params: z.object({ id: z.string().describe("Id of the order") }),
    answer: z.object({
      orderId: z.guid(),
      requestRef: z.string(),
      orderedAt: z.string(),
      takenAt: z.string().nullable(),
      possibleAt: z
        .string()
        .nullable()
        .describe("When the read budget has room for it; null when it is next, taken or answered"),
      receiptId: z.guid().nullable().describe("The read; null while there is none"),
      outcome: z.string().nullable(),
    }),
  },
  ({ ctx, actor, params }) => readOrder(ctx, actor, idIn(params.id)),
);
