import { z } from "zod";
import { route } from "@/app/_server/route";
import { Refusal } from "@/lib/domain/refusal";
import { pulse } from "@/lib/queries/pulse";

const counts = z.object({
  waitingForMe: z.int(),
  reviewsOpen: z.int(),
  reviewsBreached: z.int(),
  unknown: z.int(),
  live: z.boolean(),
  paused: z.boolean(),
});

const pauseRow = z.object({
  id: z.guid(),
  scope: z.enum(["all", "tenant", "connection", "kind"]),
  connection: z.string().nullable(),
  kind: z.string().nullable(),
  by: z.string().nullable(),
  since: z.iso.datetime(),
  reason: z.string().nullable(),
});

const rampRow = z.object({
  id: z.guid(),
  scope: z.enum(["all", "tenant", "connection", "kind"]),
  name: z.string().nullable(),
  since: z.iso.datetime(),
  started: z.int(),
  total: z.int(),
  rate: z.number(),
});

export const GET = route(
  {
    summary: "Database time, badges, active switches and a mark of the latest change",
    permission: "ledger.view",
    answer: z.object({
      now: z.iso.datetime(),
      counts,
      pauses: z.array(pauseRow),
      ramps: z.array(rampRow),
      modes: z.object({ shadow: z.array(z.string()), off: z.array(z.string()) }),
      mark: z.string(),
    }),
  },
  async ({ ctx, actor }) => {
    // The badges belong to a person; a key has none.
    if (actor.role === null) throw new Refusal("not_permitted");
    return pulse(ctx, actor.tenantId, { id: actor.id, role: actor.role });
  },
);
