import { z } from "zod";
import { NOTICE_TEAMS } from "@/lib/domain/notice";

export const EndpointIdParams = z.object({ id: z.guid().describe("Id of the endpoint") });

const common = {
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,59}$/)
    .describe("What this endpoint is called here: letters, digits, spaces, dots, hyphens"),
  teams: z
    .array(z.enum(NOTICE_TEAMS))
    .transform((teams) => NOTICE_TEAMS.filter((team) => teams.includes(team)))
    .describe("Teams whose notices arrive here; empty for every team"),
};

export const NewEndpointBody = z.strictObject({
  ...common,
  kind: z.enum(["chat", "webhook"]).describe("chat: Slack-compatible; webhook: signed"),
  url: z.string().max(500).describe("Where notices are posted"),
});

export const ChangedEndpointBody = z.strictObject({
  ...common,
  url: z.string().max(500).optional().describe("Left out to keep the saved address"),
});
