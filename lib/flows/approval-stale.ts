import { sameVersion } from "@/lib/domain/approval";
import { parseStrictJson } from "@/lib/domain/canonical";
import { differences } from "@/lib/domain/difference";

import { Refusal } from "@/lib/domain/refusal";
import { roleMay } from "@/lib/domain/role";
import type { Tx } from "@/lib/store/db";
import { versionsOf } from "@/lib/store/proposals";
import type { Deciding } from "./approve";

/**
 * Throws Refusal `approval_stale` unless the version and hash on screen are the stored ones (AP-1, C-30). The
 * refusal carries what differs: the paths for everybody, the values for those who may see payloads. Equal bytes
 * under a newer version are refused too, with nothing in the list.
 */
export async function refuseStale(
  tx: Tx,
  { actor, person, operation }: Pick<Deciding, "actor" | "person" | "operation">,
  shown: { readonly version: number; readonly hash: string },
): Promise<void> {
  const { opId, version, payloadHash, canonicalText } = operation;
  if (sameVersion(shown, { version, hash: payloadHash })) return;
  const versions = await versionsOf(tx, actor.tenantId, opId);
  const seen = versions.find((one) => one.version === shown.version);
  const found = seen
    ? differences(parseStrictJson(seen.canonicalText), parseStrictJson(canonicalText))
    : [];
  const open = roleMay(person.role, "payload.view");
  throw new Refusal("approval_stale", {
    extensions: {
      version_shown: shown.version,
      version,
      hash: payloadHash,
      same_content: seen?.payloadHash === payloadHash,
      differing: found.map(({ path }) => path),
      ...(open
        ? {
            differences: found.map(({ path, before, after }) => ({
              path,
              before: before ?? null,
              after: after ?? null,
            })),
          }
        : {}),
    },
  });
}
