import { z } from "zod";
import { route } from "@/app/_server/route";
import { ConnectionIdParams } from "@/app/api/v1/t/[tenant]/connections/bodies";
import { POLLING } from "@/lib/domain/connection-acts";
import { savePolling } from "@/lib/flows/save-polling";

export const PUT = route(
  {
    permission: "connection.save",
    summary: "Set how the platform of a connection is polled",
    params: ConnectionIdParams,
    body: z.strictObject({
      polling: z.enum(POLLING),
      silentAfterMinutes: z
        .int()
        .min(1)
        .max(10_080)
        .describe("Minutes without a delivery after which `when_silent` polls"),
    }),
  },
  ({ ctx, actor, params, body }) => savePolling(ctx, actor, { connectionId: params.cid, ...body }),
);
