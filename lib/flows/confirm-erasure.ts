import { randomUUID } from "node:crypto";
import type { Destroyed } from "@/lib/domain/erasure";
import { scopeText } from "@/lib/domain/history-scope";
import { ownerFor } from "@/lib/domain/owner";
import { reasonWord } from "@/lib/domain/reason";
import { Refusal } from "@/lib/domain/refusal";
import { recordControl } from "@/lib/store/control-events";
import { asTenant, type Tx } from "@/lib/store/db";
import { handOverErased, lockRequestsWhole, requestsOfSubject } from "@/lib/store/erased-requests";
import { lockErasure, recordConfirmed } from "@/lib/store/erasures";
import { insertCheck } from "@/lib/store/history-checks";
import { holdsOn } from "@/lib/store/retention-holds";
import { closeKeys } from "@/lib/store/tombstones";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { eraseSubject } from "./erase-subject";
import { permitPerson } from "./permit";

/** Looking through every text of a large tenant takes its time. Milliseconds. */
const TIMEOUT_MS = 300_000;

export interface ErasureWish {
  readonly id: string;
  /** The reference of the person, as it was typed. */
  readonly typed: string;
}

export interface Erased {
  readonly id: string;
  /** When the keys were destroyed, by the database's clock; RFC 3339 in UTC. */
  readonly erasedAt: string;
  readonly destroyed: Destroyed;
  /** How many operations were open and are with a person now. */
  readonly operations: number;
}

/**
 * Confirms an erasure that another person asked for, and destroys in the same transaction (PV-3): either all of it is
 * done, with its entry in the history, or nothing. Keys of the person's operations are closed for good (ID-8), open
 * operations go to a person, and a worker then checks the history. Throws Refusal `not_permitted`, `not_found`,
 * `erasure_moved`, `erasure_same_person`, `erasure_ref_differs`, `erasure_held`.
 */
export async function confirmErasure(
  ctx: ConsoleContext,
  actor: Actor,
  wish: ErasureWish,
): Promise<Erased> {
  const person = permitPerson(actor, "erasure.confirm");
  const { tenantId } = actor;
  return asTenant(
    ctx.db,
    tenantId,
    async (tx) => {
      const erasure = await lockErasure(tx, tenantId, wish.id);
      if (erasure === null) throw new Refusal("not_found");
      if (erasure.state !== "asked") throw new Refusal("erasure_moved");
      if (erasure.askedBy === person.accountId) throw new Refusal("erasure_same_person");
      refuseOtherRef(wish.typed, erasure.subjectRef);
      return destroy(tx, ctx, actor, erasure);
    },
    { timeoutMs: TIMEOUT_MS },
  );
}

function refuseOtherRef(typed: string, ref: string): void {
  if (typed.trim() === ref) return;
  const fields = [{ path: "typed", sentence: `Type ${ref}.` }];
  throw new Refusal("erasure_ref_differs", { values: { ref }, fields });
}

async function destroy(
  tx: Tx,
  ctx: ConsoleContext,
  actor: Actor,
  { id, subjectRef }: { readonly id: string; readonly subjectRef: string },
): Promise<Erased> {
  const { tenantId, id: accountId } = actor;
  const by = actorName(actor);
  const requests = await requestsOfSubject(tx, tenantId, subjectRef);
  await lockRequestsWhole(tx, tenantId, requests);
  const holds = await holdsOn(tx, tenantId, subjectRef, requests);
  if (holds.length > 0) {
    const held = holds.map(({ scope, about }) => `${scope} ${about}`).join(", ");
    throw new Refusal("erasure_held", { values: { holds: held } });
  }
  await closeKeys(tx, tenantId, requests, "erasure");
  const handing = { actor: by, erasureId: id, owner: compliance() };
  const operations = await handOverErased(tx, tenantId, requests, handing);
  const scope = { tenantId, vaultKey: ctx.vaultKey };
  const destroyed = await eraseSubject(tx, scope, subjectRef, requests, by);
  const checkId = randomUUID();
  await insertCheck(tx, tenantId, { id: checkId, scope: scopeText({ kind: "all" }), askedBy: by });
  const at = await recordConfirmed(tx, tenantId, { id, by: accountId, destroyed, checkId });
  await recordControl(tx, tenantId, {
    kind: "erasure_confirmed",
    about: `erasure:${id}`,
    actor: by,
    body: { subject: subjectRef, destroyed, operations, requests: requests.length, check: checkId },
  });
  return { id, erasedAt: at.toISOString(), destroyed, operations };
}

function compliance(): string {
  return ownerFor(reasonWord("contact_erased").owner, {
    proposer: null,
    approver: null,
    requestOwner: null,
    connectionOwner: "",
  });
}
