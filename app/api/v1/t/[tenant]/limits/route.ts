import { z } from "zod";
import { route } from "@/app/_server/route";
import { saveLimits } from "@/lib/flows/save-limits";
import { limitsPage } from "@/lib/queries/limits";

const Use = z.object({ used: z.int(), limit: z.int().nullable() });

const Chosen = z.object({
  inFlightMax: z.int().nullable(),
  callsPerMinute: z.int().nullable(),
  readsPerHour: z.int().nullable(),
});

const Answer = z.object({
  now: z.iso.datetime(),
  rows: z.array(
    z.object({
      connectionId: z.guid().nullable(),
      name: z.string(),
      inFlight: Use,
      callsOfMinute: Use,
      readsOfHour: Use.extend({ hourlyRate: z.int() }).nullable(),
      nextFreeAt: z.iso.datetime().nullable(),
      set: Chosen,
    }),
  ),
});

const limit = (max: number) => z.int().min(1).max(max).nullable().describe("Null for the default");

export const GET = route(
  {
    permission: "ledger.view",
    summary: "Quotas, rates and read budgets with their present use",
    answer: Answer,
  },
  ({ ctx, actor }) => limitsPage(ctx.db, actor.tenantId),
);

export const PUT = route(
  {
    permission: "control.limits",
    summary: "Set the limits of a connection, or of the tenant as a whole",
    body: z.strictObject({
      connectionId: z.guid().nullable().describe("Null for the tenant as a whole"),
      inFlightMax: limit(100_000),
      callsPerMinute: limit(100_000),
      readsPerHour: limit(10_000_000).default(null),
    }),
    answer: Answer,
  },
  async ({ ctx, actor, body }) => {
    await saveLimits(ctx, actor, body);
    return limitsPage(ctx.db, actor.tenantId);
  },
);
