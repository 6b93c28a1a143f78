import { z } from "zod";
import { route } from "@/app/_server/route";
import { ConnectionIdParams } from "@/app/api/v1/t/[tenant]/connections/bodies";
import { testConnection } from "@/lib/flows/test-connection";

export const POST = route(
  {
    permission: "request.read",
    summary: "Order one read at the platform, to see whether it answers; changes nothing there",
    params: ConnectionIdParams,
    answer: z.object({ orderId: z.guid(), requestRef: z.string() }),
  },
  ({ ctx, actor, params }) => testConnection(ctx, actor, params.cid),
);
