import type { ProposalMode } from "@/lib/domain/identity";
import type { OperationKind } from "@/lib/domain/operation";
import { KIND_WORDS } from "@/lib/domain/payload-words";
import { Refusal } from "@/lib/domain/refusal";
import type { Tx } from "@/lib/store/db";
import { modeOf } from "@/lib/store/modes";

/** The mode in which operations of this kind are proposed now (GO-1). Throws Refusal `mode_off`. */
export async function refuseOff(
  tx: Tx,
  tenantId: string,
  kind: OperationKind,
): Promise<ProposalMode> {
  const mode = await modeOf(tx, tenantId, kind);
  if (mode === "off") throw new Refusal("mode_off", { values: { kind: KIND_WORDS[kind].verb } });
  return mode;
}
