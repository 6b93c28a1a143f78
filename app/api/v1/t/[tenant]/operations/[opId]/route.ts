import { route } from "@/app/_server/route";
import { Refusal } from "@/lib/domain/refusal";
import { keyMay, roleMay } from "@/lib/domain/role";
import { operationPage } from "@/lib/queries/operation-page";
import { OperationIdSchema } from "@/lib/queries/page-query";

export const GET = route(
  {
    permission: "ledger.view",
    summary: "One operation with its history, reads, approvals and what it waits for",
    params: OperationIdSchema,
  },
  async ({ ctx, actor, params }) => {
    const seesPayload =
      actor.role === null
        ? keyMay(actor.scopes, "payload.view")
        : roleMay(actor.role, "payload.view");
    const viewer = { accountId: actor.id, seesPayload };
    const found = await operationPage(ctx.db, actor.tenantId, viewer, params.opId);
    if (found === null) throw new Refusal("not_found");
    return found;
  },
);
