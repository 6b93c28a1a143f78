import { z } from "zod";
import { route } from "@/app/_server/route";
import { PolicySchema } from "@/lib/domain/policy";
import { POLICY_KINDS } from "@/lib/domain/policy-words";
import { savePolicy } from "@/lib/flows/save-policy";
import { policyPage } from "@/lib/queries/policy-page";

const PolicyParams = z.object({
  kind: z.enum(POLICY_KINDS).describe("The kind of operation that the policy is for"),
});

const PolicyBody = z.strictObject({
  editedVersion: z.int().min(1).describe("The version that this one follows, as it was on screen"),
  policy: PolicySchema.describe("The whole next version"),
});

export const GET = route(
  {
    permission: "ledger.view",
    summary: "Versions of a kind's policy and what is pending under them",
    params: PolicyParams,
  },
  ({ ctx, actor, params }) => policyPage(ctx.db, actor.tenantId, actor.id, params.kind),
);

export const POST = route(
  {
    permission: "policy.save",
    summary: "Write the next version of a kind's policy",
    params: PolicyParams,
    body: PolicyBody,
    answer: z.object({ kind: z.string(), version: z.int() }),
  },
  ({ ctx, actor, params, body }) => savePolicy(ctx, actor, { ...body, kind: params.kind }),
);
