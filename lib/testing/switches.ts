import type { Role } from "@/lib/domain/role";
import type { TenantScope } from "@/lib/domain/switch-scope";
import { askResume } from "@/lib/flows/ask-resume";
import type { Actor } from "@/lib/flows/context";
import { pause } from "@/lib/flows/pause";
import { type Resumed, resume } from "@/lib/flows/resume";
import { type ResumePreview, resumePreview } from "@/lib/queries/resume-preview";
import { aMember } from "./tenants";
import type { ShopTenant, Workshop } from "./workshop";

/** Two people who may throw and open switches. */
export interface OnCall {
  readonly first: Actor;
  readonly second: Actor;
}

/** Two on-call engineers of the tenant, or two members in another role. */
export async function twoOnCall(
  { ledger }: Pick<Workshop, "ledger">,
  { tenantId }: Pick<ShopTenant, "tenantId">,
  role: Role = "on_call",
): Promise<OnCall> {
  return {
    first: await aMember(ledger.owner, tenantId, role),
    second: await aMember(ledger.owner, tenantId, role),
  };
}

/** Throws a switch and returns its id. */
export async function pauseNow(
  { ledger }: Pick<Workshop, "ledger">,
  actor: Actor,
  scope: TenantScope = { scope: "tenant" },
): Promise<string> {
  const wish = { scope, reason: "5xx storm", reviewAfter: null };
  return (await pause(ledger.ctx, actor, wish)).pauseId;
}

/** What the resume page shows of a switch now. */
export function previewNow(
  { ledger }: Pick<Workshop, "ledger">,
  actor: Actor,
  pauseId: string,
): Promise<ResumePreview> {
  return resumePreview(ledger.ctx.db, actor.tenantId, pauseId, actor.id);
}

/** One person asks, the other opens, both with what is on screen. */
export async function resumeNow(
  shop: Pick<Workshop, "ledger">,
  { first, second }: OnCall,
  pauseId: string,
  perMinute: number | null = null,
): Promise<Resumed> {
  const { ctx } = shop.ledger;
  const { seal } = await previewNow(shop, first, pauseId);
  await askResume(ctx, first, { pauseId, seen: seal, perMinute });
  const again = await previewNow(shop, second, pauseId);
  return resume(ctx, second, { pauseId, seen: again.seal });
}
