import { route } from "@/app/_server/route";
import { EndpointIdParams } from "@/app/api/v1/t/[tenant]/notice-endpoints/bodies";
import { sendTestToEndpoint } from "@/lib/flows/send-test-notice";

export const POST = route(
  {
    permission: "notices.manage",
    summary: "Send a test to an endpoint",
    params: EndpointIdParams,
    status: 201,
  },
  ({ ctx, actor, params }) => sendTestToEndpoint(ctx, actor, params.id),
);
