import { z } from "zod";
import { route } from "@/app/_server/route";
import { NewMemberBody } from "@/app/api/v1/t/[tenant]/members/bodies";
import { roleMay } from "@/lib/domain/role";
import { addMember } from "@/lib/flows/add-member";
import { membersPage } from "@/lib/queries/members-page";
import { identityProvider } from "@/lib/runtime/identity";

export const GET = route(
  {
    permission: "ledger.view",
    summary: "List the members with their role, when they were last seen, and what hangs on them",
  },
  ({ ctx, actor }) =>
    membersPage(ctx.db, actor.tenantId, {
      accountId: actor.id,
      manages: actor.role !== null && roleMay(actor.role, "members.manage"),
    }),
);

export const POST = route(
  {
    permission: "members.manage",
    summary: "Make somebody a member",
    body: NewMemberBody,
    answer: z.object({
      accountId: z.guid(),
      startingPassword: z
        .string()
        .nullable()
        .describe("Of an account that was made now; shown this once"),
    }),
    status: 201,
    // The answer may hold a password, which is shown once.
    remembers: false,
  },
  ({ ctx, actor, body }) =>
    addMember(ctx, actor, { ...body, withPassword: identityProvider() === null }),
);
