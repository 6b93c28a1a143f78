import { z } from "zod";
import { route } from "@/app/_server/route";
import { EndpointIdParams } from "@/app/api/v1/t/[tenant]/notice-endpoints/bodies";
import { switchNoticeEndpoint } from "@/lib/flows/save-notice-endpoint";

export const POST = route(
  {
    permission: "notices.manage",
    summary: "Stop or start an endpoint",
    params: EndpointIdParams,
    body: z.strictObject({ state: z.enum(["active", "stopped"]) }),
  },
  ({ ctx, actor, params, body }) => switchNoticeEndpoint(ctx, actor, params.id, body.state),
);
