import { z } from "zod";
import { route } from "@/app/_server/route";
import { replayEvents, replayStretch } from "@/lib/flows/replay-events";
import { countBetween } from "@/lib/queries/inbox-matches";

const Instant = z.iso.datetime({ offset: true });

const Selection = z.strictObject({
  ids: z.array(z.guid()).min(1).max(500).describe("Ids of events in the inbox"),
});

const Stretch = z.strictObject({
  from: Instant.describe("Received from then on"),
  to: Instant.describe("And before then"),
  after: z
    .strictObject({ micros: z.string().regex(/^\d{1,18}$/), id: z.guid() })
    .nullish()
    .describe("Where an earlier answer ended"),
  most: z.int().min(1).max(20_000).optional().describe("Stop after about so many, and say where"),
});

export const GET = route(
  {
    permission: "ledger.view",
    summary: "Count what was received in a stretch of time, before it is replayed",
    query: z.object({ from: Instant, to: Instant }),
    answer: z.object({ count: z.int() }),
  },
  async ({ ctx, actor, query: { from, to } }) => ({
    count: await countBetween(ctx.db, actor.tenantId, { from: new Date(from), to: new Date(to) }),
  }),
);

export const POST = route(
  {
    permission: "inbox.replay",
    summary:
      "Apply a selection of recorded events again, or everything received in a stretch of time",
    body: z.union([Selection, Stretch]),
  },
  async ({ ctx, actor, body }) => {
    if ("ids" in body) return { replayed: await replayEvents(ctx, actor, body.ids) };
    const { from, to, after, most } = body;
    const stretch = { from: new Date(from), to: new Date(to), after: after ?? null };
    return replayStretch(ctx, actor, stretch, most);
  },
);
