import type { ProposalMode } from "@/lib/domain/identity";
import type { ExpectedState, Replaces, SendPayload } from "@/lib/domain/payload";
import { KIND_WORDS } from "@/lib/domain/payload-words";
import { type FieldProblem, Refusal } from "@/lib/domain/refusal";
import type { Tx } from "@/lib/store/db";
import { modeOf } from "@/lib/store/modes";
import { presentPolicy } from "@/lib/store/policies";
import { proposalById } from "@/lib/store/proposals";
import { highestRevision } from "@/lib/store/replacements";
import { type RequestRow, signersOf } from "@/lib/store/requests";
import type { VaultEntryRef } from "@/lib/store/vault";
import { basisOf } from "./change-basis";
import { refuseEnded } from "./change-rules";

/** What a corrected send replaces (ID-7). */
export interface ReplacementWish {
  /** The send of the same request that it takes the place of. */
  readonly supersedesOpId: string;
  /** One more than the highest revision so far; it is part of the operation's key (ID-1). */
  readonly revision: number;
  readonly reason: string;
  /** True lets it start before the void of the earlier one is confirmed; the approver sees it. */
  readonly startAtOnce?: boolean;
}

/**
 * What a corrected send says about what it replaces, as the newest read shows it; `earlier` is what the same wish said
 * before, and then its basis stays (AP-4).
 */
export async function replacesOf(
  tx: Tx,
  tenantId: string,
  wish: ReplacementWish,
  reason: VaultEntryRef,
  request: RequestRow,
  earlier: SendPayload | null,
): Promise<Replaces> {
  const before = earlier?.replaces ?? (await presentBasis(tx, tenantId, request));
  return {
    platform_ref: before.platform_ref,
    expected: before.expected,
    starts: wish.startAtOnce ? "at_once" : "after_void",
    reason_digest: reason.digest,
    shown_reason: request.descriptor.voidShowsReason ? reason : null,
    void_policy: before.void_policy,
  };
}

async function presentBasis(
  tx: Tx,
  tenantId: string,
  request: RequestRow,
): Promise<Pick<Replaces, "platform_ref" | "expected" | "void_policy">> {
  const { version } = await presentPolicy(tx, tenantId, "void");
  const basis = { platform_ref: request.platformRef, void_policy: version };
  return { ...basis, expected: await expectedOf(tx, tenantId, request) };
}

async function expectedOf(
  tx: Tx,
  tenantId: string,
  request: RequestRow,
): Promise<ExpectedState | null> {
  if (request.platformRef === null) return null;
  return basisOf(request, await signersOf(tx, tenantId, request.ref)).expected;
}

/**
 * Throws Refusal unless the wish names a send of this request, the next revision and its connection, the request has
 * not ended, and its void could be carried out: `not_found`, `fields_unusable`, `request_ended`, `mode_off`.
 */
export async function refuseReplacement(
  tx: Tx,
  tenantId: string,
  wish: ReplacementWish & { readonly connectionId: string },
  request: RequestRow,
  mode: ProposalMode,
): Promise<void> {
  const replaced = await proposalById(tx, tenantId, wish.supersedesOpId);
  if (replaced?.requestRef !== request.ref || replaced.kind !== "send") {
    throw new Refusal("not_found");
  }
  const next = (await highestRevision(tx, tenantId, request.ref)) + 1;
  const fields: FieldProblem[] = [];
  if (wish.revision !== next) {
    fields.push({ path: "replaces.revision", sentence: `The next revision is ${next}.` });
  }
  if (wish.connectionId !== request.connectionId) {
    const sentence = "A correction goes through the connection of the first send.";
    fields.push({ path: "connectionId", sentence });
  }
  if (fields.length > 0) throw new Refusal("fields_unusable", { fields });
  refuseEnded(request);
  if (mode === "live" && (await modeOf(tx, tenantId, "void")) !== "live") {
    throw new Refusal("mode_off", { values: { kind: KIND_WORDS.void.verb } });
  }
}
