import { z } from "zod";
import { route } from "@/app/_server/route";
import { idIn, ReasonBody } from "@/app/api/v1/t/[tenant]/bodies";
import { revealRaw } from "@/lib/flows/reveal-raw";

export const POST = route(
  {
    permission: "inbox.raw",
    summary: "Show the raw body of one event; every reading is recorded",
    params: z.object({ id: z.string().describe("Id of the event in the inbox") }),
    body: ReasonBody,
    answer: z.object({
      encoding: z.enum(["utf8", "base64"]),
      body: z.string(),
      sha256: z.string(),
    }),
    remembers: false,
  },
  ({ ctx, actor, params, body }) => revealRaw(ctx, actor, { ...body, id: idIn(params.id) }),
);
