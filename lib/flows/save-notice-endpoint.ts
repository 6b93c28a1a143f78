import { randomUUID } from "node:crypto";
import type { NoticeTeam } from "@/lib/domain/notice";
import { Refusal } from "@/lib/domain/refusal";
import { recordControl } from "@/lib/store/control-events";
import { asTenant } from "@/lib/store/db";
import {
  changeEndpoint,
  insertEndpoint,
  lockEndpoint,
  setEndpointState,
} from "@/lib/store/notice-endpoints";
import { sealNoticeSecret } from "@/lib/store/notice-secrets";
import { newSubscriberSecret } from "@/lib/store/subscriber-secrets";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { hookAddress } from "./hook-address";
import { permitPerson } from "./permit";

export interface EndpointWish {
  readonly name: string;
  readonly kind: "chat" | "webhook";
  readonly url: string;
  /** Empty for the notices of every team. */
  readonly teams: readonly NoticeTeam[];
}

export interface AddedEndpoint {
  readonly id: string;
  /** Signs what a generic webhook gets, shown this once; null for a chat. */
  readonly secret: string | null;
}

/**
 * Adds a place where the tenant is told (OB-2). Throws Refusal `notice_endpoint_name_taken`, `fields_unusable`,
 * `delivery_target_refused`, `not_permitted`.
 */
export async function addNoticeEndpoint(
  ctx: ConsoleContext,
  actor: Actor,
  wish: EndpointWish,
): Promise<AddedEndpoint> {
  permitPerson(actor, "notices.manage");
  const url = hookAddress(ctx, wish.url, "url");
  const { tenantId } = actor;
  const id = randomUUID();
  const signing = wish.kind === "webhook" ? newSubscriberSecret() : null;
  const by = actorName(actor);
  await asTenant(ctx.db, tenantId, async (tx) => {
    const added = await insertEndpoint(tx, tenantId, {
      id,
      name: wish.name,
      kind: wish.kind,
      teams: wish.teams,
      host: url.host,
      urlSealed: sealedAddress(ctx, tenantId, id, url),
      secretId: signing?.id ?? null,
      secretSealed:
        signing &&
        sealNoticeSecret(
          ctx.vaultKey,
          { of: "signing", tenantId, endpointId: id, secretId: signing.id },
          signing.secret,
        ),
      by,
    });
    if (!added) throw new Refusal("notice_endpoint_name_taken");
    const body = { kind: wish.kind, teams: wish.teams };
    const about = `endpoint:${id}`;
    await recordControl(tx, tenantId, { kind: "notice_endpoint_added", about, actor: by, body });
  });
  return { id, secret: signing?.secret ?? null };
}

/**
 * Changes name, teams and, where one is given, the address of an endpoint. Throws Refusal as `addNoticeEndpoint`, and
 * `not_found`.
 */
export async function saveNoticeEndpoint(
  ctx: ConsoleContext,
  actor: Actor,
  id: string,
  wish: Pick<EndpointWish, "name" | "teams"> & { readonly url?: string | undefined },
): Promise<void> {
  permitPerson(actor, "notices.manage");
  const url = wish.url === undefined ? null : hookAddress(ctx, wish.url, "url");
  const { tenantId } = actor;
  const by = actorName(actor);
  await asTenant(ctx.db, tenantId, async (tx) => {
    if ((await lockEndpoint(tx, tenantId, id)) === null) throw new Refusal("not_found");
    const { name, teams } = wish;
    const address =
      url === null ? null : { host: url.host, urlSealed: sealedAddress(ctx, tenantId, id, url) };
    const changed = await changeEndpoint(tx, tenantId, { id, name, teams, address, by });
    if (!changed) throw new Refusal("notice_endpoint_name_taken");
    const body = { teams, address: address !== null };
    const about = `endpoint:${id}`;
    await recordControl(tx, tenantId, { kind: "notice_endpoint_changed", about, actor: by, body });
  });
}

/** Stops or starts an endpoint; a second time changes nothing. Throws Refusal `not_found`, `not_permitted`. */
export async function switchNoticeEndpoint(
  ctx: ConsoleContext,
  actor: Actor,
  id: string,
  state: "active" | "stopped",
): Promise<void> {
  permitPerson(actor, "notices.manage");
  const { tenantId } = actor;
  await asTenant(ctx.db, tenantId, async (tx) => {
    if ((await lockEndpoint(tx, tenantId, id)) === null) throw new Refusal("not_found");
    if (!(await setEndpointState(tx, tenantId, id, state))) return;
    await recordControl(tx, tenantId, {
      kind: state === "active" ? "notice_endpoint_started" : "notice_endpoint_stopped",
      about: `endpoint:${id}`,
      actor: actorName(actor),
      body: {},
    });
  });
}

function sealedAddress(ctx: ConsoleContext, tenantId: string, endpointId: string, url: URL) {
  return sealNoticeSecret(ctx.vaultKey, { of: "endpoint", tenantId, endpointId }, url.href);
}
