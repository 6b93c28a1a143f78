import { z } from "zod";
import { REASON_LENGTH_MAX } from "@/lib/domain/reason-text";
import { Refusal } from "@/lib/domain/refusal";
import type { TenantScope } from "@/lib/domain/switch-scope";

/** Kinds that this release carries out, and that can be paused or switched. */
export const SwitchedKind = z.enum(["send", "resend", "remind", "extend", "expire", "void"]);

const reason = z
  .string()
  .max(REASON_LENGTH_MAX)
  .describe("Why; it becomes part of the history. No addresses, phone numbers or links");

export const PauseBody = z.strictObject({
  scope: z.enum(["tenant", "connection", "kind"]),
  connectionId: z.guid().nullish().describe("For scope connection"),
  kind: SwitchedKind.nullish().describe("For scope kind"),
  reason,
  reviewAfter: z.enum(["1h", "4h", "tomorrow"]).nullish().describe("When to ask about it"),
});

/** The scope of a body; a scope without its connection or kind is refused. */
export function scopeIn({ scope, connectionId, kind }: z.output<typeof PauseBody>): TenantScope {
  if (scope === "tenant") return { scope };
  if (scope === "connection" && connectionId) return { scope, connectionId };
  if (scope === "kind" && kind) return { scope, kind };
  const path = scope === "connection" ? "connectionId" : "kind";
  throw new Refusal("fields_unusable", { fields: [{ path, sentence: "Say which one." }] });
}

export const PauseParams = z.object({ id: z.guid() });

/** The preview that was on screen (BL-6). */
const seenShape = {
  count: z.int().min(0).describe("How many operations the preview named"),
  hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe("Hash of the preview that was on screen"),
};

export const ResumeAskBody = z.strictObject({
  ...seenShape,
  perMinute: z.int().min(1).max(100_000).nullish().describe("Starts per minute at first"),
});

export const ResumptionBody = z.strictObject(seenShape);

export const ModeParams = z.object({ kind: SwitchedKind });

export const ModeBody = z.strictObject({ mode: z.enum(["off", "shadow", "live"]), reason });

export const LiveBody = z.strictObject({
  askId: z.guid().describe("The question that is answered"),
});
