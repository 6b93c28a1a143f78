import { z } from "zod";
import { personRoute } from "@/app/_server/route";
import { saveNoticePreferences } from "@/lib/flows/save-notice-preferences";
import { myNotices } from "@/lib/queries/my-notices";

const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

export const GET = personRoute(
  { summary: "How you are told, and what became of your last test" },
  ({ ctx, session }) => myNotices(ctx, session.accountId),
);

export const PUT = personRoute(
  {
    summary: "Save how you are told",
    body: z.strictObject({
      mail: z.boolean(),
      mailTo: z
        .email()
        .max(254)
        .nullish()
        .describe("Another address than the login; null for the login, left out to keep"),
      chat: z.boolean(),
      chatUrl: z
        .string()
        .max(500)
        .optional()
        .describe("Address of an incoming webhook; left out to keep the saved one"),
      quiet: z
        .strictObject({ from: Clock, until: Clock })
        .nullable()
        .describe("Wall-clock times in your zone; escalations still reach you"),
    }),
  },
  ({ ctx, session, body }) => saveNoticePreferences(ctx, session.accountId, body),
);
