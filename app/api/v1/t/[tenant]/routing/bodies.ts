import { z } from "zod";
import { OPERATION_KINDS } from "@/lib/domain/operation";
import { ROUTED_REASONS } from "@/lib/domain/routing";
import { TEAMS } from "@/lib/domain/team";

const Owner = z.string().regex(/^(?:team:[a-z-]{2,40}|account:[0-9a-f-]{36})$/);

const Rule = z.strictObject({
  id: z.string().max(100).nullish().describe("Of a rule in force that stays as it is"),
  reason: z.string().max(100).nullable().describe("Null for every reason"),
  kind: z.enum(OPERATION_KINDS).nullable(),
  connectionId: z.guid().nullable(),
  owner: Owner.describe("A team, or account:<uuid>"),
  escalateTo: Owner.nullable().describe("Who is told next; null for the usual line"),
  escalateAfterMinutes: z.int().min(1).max(1440).nullable().describe("Null for the age limit"),
});

const Seen = z.array(z.string().max(100)).max(1000).describe("The ids that were on screen");

export const RoutingBody = z.strictObject({
  rules: z.array(Rule).max(200).describe("All rules in their order; the first that fits wins"),
  seen: Seen,
});

const Instant = z.iso.datetime({ offset: true });

export const RotaBody = z.strictObject({
  shifts: z
    .array(
      z.strictObject({
        id: z.string().max(100).nullish(),
        team: z.enum(TEAMS),
        accountId: z.guid(),
        startsAt: Instant,
        endsAt: Instant,
      }),
    )
    .max(500)
    .describe("All running and coming shifts as they shall be"),
  seen: Seen,
});

export const WhoQuery = z.object({
  reason: z.enum(ROUTED_REASONS as [(typeof ROUTED_REASONS)[number]]),
  kind: z.enum(OPERATION_KINDS).optional(),
  connection: z.guid().optional(),
});
