import { z } from "zod";
import { route } from "@/app/_server/route";
import { saveView } from "@/lib/flows/save-view";
import { savedViewsOf } from "@/lib/queries/saved-views";
import { NewViewBody, ViewPageQuery } from "./bodies";

export const GET = route(
  { permission: "views.save", summary: "List your own saved views", query: ViewPageQuery },
  async ({ ctx, actor, query }) => ({
    views: await savedViewsOf(ctx.db, actor.tenantId, actor.id, query.page),
  }),
);

export const POST = route(
  {
    permission: "views.save",
    summary: "Save the filters of a list as a view of your own",
    body: NewViewBody,
    answer: z.object({ id: z.guid() }),
    status: 201,
  },
  ({ ctx, actor, body }) => saveView(ctx, actor, body),
);
