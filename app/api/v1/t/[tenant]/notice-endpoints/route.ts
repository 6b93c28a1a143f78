import { z } from "zod";
import { route } from "@/app/_server/route";
import { addNoticeEndpoint } from "@/lib/flows/save-notice-endpoint";
import { noticeSettingsPage } from "@/lib/queries/notice-settings-page";
import { NewEndpointBody } from "./bodies";

export const GET = route(
  { permission: "ledger.view", summary: "Where the tenant is told, and of what it was told last" },
  ({ ctx, actor }) => noticeSettingsPage(ctx, actor.tenantId),
);

export const POST = route(
  {
    permission: "notices.manage",
    summary: "Add a place where the tenant is told",
    body: NewEndpointBody,
    answer: z.object({
      id: z.guid(),
      secret: z.string().nullable().describe("Signs what a webhook gets; shown this once"),
    }),
    status: 201,
    // The answer holds a secret, which is not kept for repeats.
    remembers: false,
  },
  ({ ctx, actor, body }) => addNoticeEndpoint(ctx, actor, body),
);
