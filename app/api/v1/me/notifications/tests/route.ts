import { personRoute } from "@/app/_server/route";
import { sendTestToPerson } from "@/lib/flows/send-test-notice";

export const POST = personRoute(
  { summary: "Send a test to yourself by every way that you have switched on", status: 201 },
  ({ ctx, session }) => sendTestToPerson(ctx, session.accountId),
);
