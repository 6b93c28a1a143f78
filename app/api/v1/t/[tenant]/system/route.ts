import { route } from "@/app/_server/route";
import { systemPage } from "@/lib/queries/system-page";

export const GET = route(
  {
    permission: "system.view",
    summary: "Workers, backlogs, read budgets, clocks and versions, as one tenant may see them",
  },
  ({ ctx, actor }) => systemPage(ctx.db, actor.tenantId, process.env.npm_package_version ?? "dev"),
);
