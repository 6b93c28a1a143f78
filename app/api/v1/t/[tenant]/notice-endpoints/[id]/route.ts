import { route } from "@/app/_server/route";
import {
  ChangedEndpointBody,
  EndpointIdParams,
} from "@/app/api/v1/t/[tenant]/notice-endpoints/bodies";
import { saveNoticeEndpoint } from "@/lib/flows/save-notice-endpoint";

export const PUT = route(
  {
    permission: "notices.manage",
    summary: "Change name, teams and address of an endpoint",
    params: EndpointIdParams,
    body: ChangedEndpointBody,
  },
  ({ ctx, actor, params, body }) => saveNoticeEndpoint(ctx, actor, params.id, body),
);
