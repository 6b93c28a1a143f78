import { OUTBOX_TYPES } from "@/lib/domain/outbox";
import type { Database } from "@/lib/store/db";
import {
  newSubscriberSecret,
  openSubscriberSecret,
  sealSubscriberSecret,
} from "@/lib/store/subscriber-secrets";
import type { DemoSurroundings } from "./connection";
import { demoId } from "./people";
import { putReceiver } from "./platform-control";

/**
 * A subscriber of the tenant that is told of everything: the sandbox's receiver. One that exists keeps its secret; its
 * address is brought up to date, because ports may change.
 */
export async function seedSubscriber(
  db: Database,
  slug: string,
  { sandboxUrl, vaultKey }: DemoSurroundings,
): Promise<void> {
  const tenantId = demoId(`tenant ${slug}`);
  const id = demoId(`subscriber ${slug}`);
  const where = { tenantId_id: { tenantId, id } };
  const kept = await db.subscriber.findUnique({ where });
  const made = newSubscriberSecret();
  const row =
    kept ??
    (await db.subscriber.create({
      data: {
        tenantId,
        id,
        name: "Sandbox receiver",
        url: `${sandboxUrl}/receiver/${slug}`,
        eventTypes: [...OUTBOX_TYPES],
        secretId: made.id,
        secretSealed: sealSubscriberSecret(vaultKey, tenantId, id, made),
        createdBy: "system:demo",
        changedBy: "system:demo",
      },
    }));
  await db.subscriber.update({ where, data: { url: `${sandboxUrl}/receiver/${slug}` } });
  const { secretId, secretSealed } = row;
  const secret = openSubscriberSecret(vaultKey, tenantId, id, {
    id: secretId,
    sealed: secretSealed,
  });
  await putReceiver(sandboxUrl, slug, secret);
}
