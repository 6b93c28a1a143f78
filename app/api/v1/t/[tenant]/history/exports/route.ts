import { z } from "zod";
import { streamRoute } from "@/app/_server/route";
import { HistoryFilterSchema } from "@/lib/domain/history-export";
import { exportHistory } from "@/lib/flows/export-history";

export const POST = streamRoute(
  {
    permission: "history.export",
    summary: "Export entries of the history as CSV or JSON lines; exporting is history",
    body: z.strictObject({ format: z.enum(["csv", "jsonl"]), filter: HistoryFilterSchema }),
  },
  async ({ ctx, actor, body }) => exportHistory(ctx, actor, body),
);
