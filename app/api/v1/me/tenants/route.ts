import { z } from "zod";
import { personRoute } from "@/app/_server/route";
import { ROLES } from "@/lib/domain/role";
import { tenantRows } from "@/lib/queries/memberships";

const tenantRow = z.object({
  slug: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  waitingForMe: z.int(),
  reviewsOpen: z.int(),
  reviewsBreached: z.int(),
  unknown: z.int(),
  live: z.boolean(),
  paused: z.boolean(),
});

export const GET = personRoute(
  { summary: "Your tenants with their figures", answer: z.object({ tenants: z.array(tenantRow) }) },
  async ({ ctx, session }) => ({ tenants: await tenantRows(ctx.db, session.accountId) }),
);
