import { z } from "zod";
import { ROLES } from "@/lib/domain/role";

export const MemberParams = z.object({ account: z.guid().describe("Account id of the member") });

const Role = z.enum(ROLES);

export const NewMemberBody = z.strictObject({
  login: z
    .string()
    .trim()
    .min(3)
    .max(200)
    .regex(/^[^\s\p{Cc}]+$/u)
    .describe("What the person signs in with, an address as a rule"),
  role: Role,
});

export const RoleBody = z.strictObject({
  role: Role,
  shownRole: Role.describe("The role as it was on screen"),
});

export const RemovalBody = z.strictObject({
  shownRole: Role.describe("The role as it was on screen"),
});

export const SessionEndBody = z.strictObject({
  sessionId: z.guid().nullable().describe("Null for every open session"),
});

export const ToReview = z.object({
  toReview: z.int().describe("Operations that went to review because they lost their approval"),
});
