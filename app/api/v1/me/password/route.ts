import { z } from "zod";
import { personRoute } from "@/app/_server/route";
import { changePassword } from "@/lib/flows/change-password";

const Password = z.string().min(1).max(1000);

export const PUT = personRoute(
  {
    summary: "Change your own password",
    body: z.strictObject({ present: Password, next: Password }),
  },
  ({ ctx, session, body }) => changePassword(ctx, session, body),
);
