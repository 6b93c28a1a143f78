import { MEMBER_ACTS, type MemberAct, memberActSentence } from "@/lib/domain/member-acts";
import { asTenant, type Database, ledgerNow, type Tx } from "@/lib/store/db";
import { type MemberRow, memberRows } from "./member-rows";
import { type Person, personsOf } from "./persons";
import { type OpenSessionRow, openSessionsOf } from "./session";

export interface MemberActEntry {
  readonly id: string;
  readonly at: string;
  readonly by: Person | null;
  readonly sentence: string;
}

export interface MemberPage {
  readonly now: string;
  readonly member: MemberRow;
  /** Open sessions of the account, the newest first. */
  readonly sessions: readonly OpenSessionRow[];
  /** What admins did about this member, the newest first. */
  readonly acts: readonly MemberActEntry[];
}

/** One member for an admin; null for somebody who is not a member now. */
export async function memberPage(
  db: Database,
  tenantId: string,
  viewer: string,
  accountId: string,
): Promise<MemberPage | null> {
  return asTenant(db, tenantId, async (tx) => {
    const manager = { accountId: viewer, manages: true };
    const [member] = await memberRows(tx, tenantId, manager, accountId);
    if (!member) return null;
    return {
      now: (await ledgerNow(tx)).toISOString(),
      member,
      sessions: await openSessionsOf(tx, accountId),
      acts: await actsOf(tx, tenantId, viewer, accountId),
    };
  });
}

/** So many entries are shown; the history has all of them. */
const ACTS_SHOWN = 20;

async function actsOf(
  tx: Tx,
  tenantId: string,
  viewer: string,
  accountId: string,
): Promise<readonly MemberActEntry[]> {
  const found = await tx.controlEvent.findMany({
    where: { tenantId, about: `member:${accountId}`, kind: { in: [...MEMBER_ACTS] } },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: ACTS_SHOWN,
    select: { id: true, at: true, kind: true, actor: true, body: true },
  });
  const names = [...new Set(found.map(({ actor }) => actor))];
  const persons = await personsOf(tx, tenantId, names, viewer);
  return found.map(({ id, at, kind, actor, body }) => ({
    id,
    at: at.toISOString(),
    by: persons.get(actor) ?? null,
    sentence: memberActSentence(kind as MemberAct, JSON.parse(body)),
  }));
}
