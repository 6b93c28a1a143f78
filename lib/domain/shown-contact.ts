import type { PlatformRequest } from "./observation";
import type { Baseline, JudgedOperation, TargetOf } from "./verdict";

export type ContactTarget = TargetOf<"reminded"> | TargetOf<"resent">;

/**
 * How what a read shows of the newest reminder or delivery compares with the read before the first call. `unclear` is
 * an older or vanished one, or one that nothing can be compared with: neither a proof of effect nor of absence.
 */
export type Compared = "newer" | "same" | "unclear";

/** Compares the newest reminder, or the newest delivery, with the baseline of the operation (RC-5). */
export function comparedContact(
  operation: Pick<JudgedOperation, "baseline" | "attempts">,
  target: ContactTarget,
  request: PlatformRequest,
): Compared {
  const { baseline } = operation;
  // What was never called for is nobody's effect but somebody else's.
  if (operation.attempts === 0) return "same";
  if (baseline === null) return "unclear";
  const [was, is] = [stampOf(baseline, target), stampOf(request, target)];
  if (is === null) return was === null ? "same" : "unclear";
  if (was === null) return "newer";
  const difference = Date.parse(is) - Date.parse(was);
  if (difference === 0) return "same";
  return difference > 0 ? "newer" : "unclear";
}

function stampOf(seen: Baseline, target: ContactTarget): string | null {
  return target.kind === "reminded" ? seen.lastReminderAt : seen.lastDeliveryAt;
}

/** Those of the signers whom the read does not show as signed (RM-3). */
export function notSigned(
  subjectRefs: readonly string[],
  request: PlatformRequest,
): readonly string[] {
  if (request.signerCount > 0 && request.signedCount >= request.signerCount) return [];
  const signed = new Set(
    request.signers.filter((signer) => signer.signed).map((signer) => signer.reference),
  );
  return subjectRefs.filter((ref) => !signed.has(ref));
}
