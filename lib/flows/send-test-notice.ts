import { audienceOf, TEST_WINDOW_MS, TESTS_MAX } from "@/lib/domain/notice";
import { Refusal } from "@/lib/domain/refusal";
import { recordControl } from "@/lib/store/control-events";
import { asTenant, type Tx } from "@/lib/store/db";
import { lockEndpoint } from "@/lib/store/notice-endpoints";
import { insertDeliveries, readerOf } from "@/lib/store/notice-plans";
import { insertTestNotice, tenantOfMember, testsSince } from "@/lib/store/notice-tests";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";

/**
 * Sends a test to a person by every way that this person has switched on (OB-2), also in quiet hours. Throws Refusal
 * `notice_no_way`, `notice_tests_too_many`.
 */
export async function sendTestToPerson(ctx: ConsoleContext, accountId: string): Promise<void> {
  const tenantId = await tenantOfMember(ctx.db, accountId);
  if (tenantId === null) throw new Refusal("notice_no_way");
  const audience = audienceOf({ account: accountId });
  await asTenant(
    ctx.db,
    tenantId,
    async (tx) => {
      const [reader] = await readerOf(tx, tenantId, audience);
      const channels = [
        ...(reader?.mail && ctx.mailIsOn ? (["mail"] as const) : []),
        ...(reader?.chat ? (["chat"] as const) : []),
      ];
      if (channels.length === 0) throw new Refusal("notice_no_way");
      const notice = await test(tx, tenantId, audience);
      await insertDeliveries(
        tx,
        tenantId,
        notice,
        channels.map((channel) => ({ accountId, endpointId: null, channel })),
      );
    },
    { accountId },
  );
}

/**
 * Sends a test to an endpoint of the tenant by the way that all notices take. Throws Refusal `not_found`,
 * `notice_endpoint_stopped`, `notice_tests_too_many`, `not_permitted`.
 */
export async function sendTestToEndpoint(
  ctx: ConsoleContext,
  actor: Actor,
  endpointId: string,
): Promise<void> {
  permitPerson(actor, "notices.manage");
  const { tenantId } = actor;
  await asTenant(ctx.db, tenantId, async (tx) => {
    const endpoint = await lockEndpoint(tx, tenantId, endpointId);
    if (endpoint === null) throw new Refusal("not_found");
    if (endpoint.state === "stopped") throw new Refusal("notice_endpoint_stopped");
    const notice = await test(tx, tenantId, `endpoint:${endpointId}`);
    await insertDeliveries(tx, tenantId, notice, [
      { accountId: null, endpointId, channel: endpoint.kind },
    ]);
    await recordControl(tx, tenantId, {
      kind: "notice_endpoint_tested",
      about: `endpoint:${endpointId}`,
      actor: actorName(actor),
      body: { notice },
    });
  });
}

/** A way to somebody else's mailbox must not become a way to fill it. */
async function test(tx: Tx, tenantId: string, audience: string): Promise<string> {
  const sent = await testsSince(tx, tenantId, audience, TEST_WINDOW_MS);
  if (sent >= TESTS_MAX) {
    throw new Refusal("notice_tests_too_many", { values: { n: TESTS_MAX } });
  }
  return insertTestNotice(tx, tenantId, { audience, path: "/settings/notifications" });
}
