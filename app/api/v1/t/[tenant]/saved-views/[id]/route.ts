import { route } from "@/app/_server/route";
import { RenameViewBody, ViewIdParams } from "@/app/api/v1/t/[tenant]/saved-views/bodies";
import { deleteView, renameView } from "@/lib/flows/save-view";

export const PATCH = route(
  {
    permission: "views.save",
    summary: "Rename one of your own views",
    params: ViewIdParams,
    body: RenameViewBody,
  },
  ({ ctx, actor, params, body }) => renameView(ctx, actor, params.id, body.name),
);

export const DELETE = route(
  { permission: "views.save", summary: "Delete one of your own views", params: ViewIdParams },
  ({ ctx, actor, params }) => deleteView(ctx, actor, params.id),
);
