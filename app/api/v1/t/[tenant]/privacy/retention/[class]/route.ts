import { z } from "zod";
import { route } from "@/app/_server/route";
import { RecordClassParam, RetentionBody } from "@/app/api/v1/t/[tenant]/privacy/bodies";
import { saveRetention } from "@/lib/flows/save-retention";

export const PUT = route(
  {
    permission: "retention.save",
    summary: "Say how long a class of records is kept and who answers for it",
    params: RecordClassParam,
    body: RetentionBody,
    answer: z.object({ version: z.int() }),
  },
  ({ ctx, actor, params, body }) =>
    saveRetention(ctx, actor, { recordClass: params.class, ...body }),
);
