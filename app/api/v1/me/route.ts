import { z } from "zod";
import { personRoute } from "@/app/_server/route";
import { Refusal } from "@/lib/domain/refusal";
import { saveZone } from "@/lib/flows/save-zone";

export const PATCH = personRoute(
  {
    summary: "Save the zone that you call my zone",
    body: z.strictObject({ zone: z.string().min(1).max(60) }),
    answer: z.object({ zone: z.string() }),
  },
  async ({ ctx, session, body }) => {
    const saved = await saveZone(ctx, session.accountId, body.zone);
    if (!saved) throw new Refusal("zone_unknown", { values: { value: body.zone } });
    return { zone: body.zone };
  },
);
