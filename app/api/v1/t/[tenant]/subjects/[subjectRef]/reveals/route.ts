import { z } from "zod";
import { route } from "@/app/_server/route";
import { RevealBody, refIn } from "@/app/api/v1/t/[tenant]/bodies";
import { revealContact } from "@/lib/flows/reveal-contact";

export const POST = route(
  {
    permission: "vault.read",
    summary: "Show one person's contact details; every reading is recorded",
    params: z.object({ subjectRef: z.string().describe("Opaque reference of the person") }),
    body: RevealBody,
    answer: z.object({ contact: z.object({ name: z.string(), email: z.string() }) }),
    remembers: false,
  },
  async ({ ctx, actor, params, body }) => ({
    contact: await revealContact(ctx, actor, {
      subjectRef: refIn(params.subjectRef),
      reason: body.reason ?? null,
    }),
  }),
);
