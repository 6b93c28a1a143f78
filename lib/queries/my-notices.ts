import { noticeTryWords } from "@/lib/domain/notice-words";
import { asAccount, asTenant, type Database } from "@/lib/store/db";
import { preferenceOf } from "@/lib/store/notice-preferences";
import { openNoticeSecret } from "@/lib/store/notice-secrets";
import { tenantOfMember } from "@/lib/store/notice-tests";

/** How a person is told, for that person alone. */
export interface MyNotices {
  /** False while the installation has no mail server. */
  readonly mailIsOn: boolean;
  readonly mail: boolean;
  /** Another address than the login; null for the login. */
  readonly mailTo: string | null;
  readonly chat: boolean;
  /** The host of the saved incoming webhook; its address is not shown again. */
  readonly chatHost: string | null;
  readonly quiet: { readonly from: string; readonly until: string } | null;
  /** What became of the last test, one line per way. */
  readonly lastTest: readonly {
    readonly channel: "mail" | "chat";
    readonly state: string;
    readonly at: string;
    readonly words: string | null;
  }[];
}

/** The person's own settings and the last test. */
export async function myNotices(
  ctx: { readonly db: Database; readonly vaultKey: Buffer; readonly mailIsOn?: boolean },
  accountId: string,
): Promise<MyNotices> {
  const saved = await asAccount(ctx.db, accountId, (tx) => preferenceOf(tx, accountId));
  const opened = (of: "mail" | "chat", sealed: string | null | undefined) =>
    sealed ? openNoticeSecret(ctx.vaultKey, { of, accountId }, sealed) : null;
  const chatUrl = opened("chat", saved?.chatUrlSealed);
  return {
    mailIsOn: ctx.mailIsOn ?? false,
    mail: saved?.mail ?? true,
    mailTo: opened("mail", saved?.mailToSealed),
    chat: saved?.chat ?? false,
    chatHost: chatUrl === null ? null : new URL(chatUrl).host,
    quiet:
      saved?.quietFrom && saved.quietUntil
        ? { from: saved.quietFrom, until: saved.quietUntil }
        : null,
    lastTest: await lastTestOf(ctx.db, accountId),
  };
}

interface FoundTest {
  channel: "mail" | "chat";
  state: string;
  at: Date;
  status: number | null;
  error: string | null;
}

async function lastTestOf(db: Database, accountId: string): Promise<MyNotices["lastTest"]> {
  const tenantId = await tenantOfMember(db, accountId);
  if (tenantId === null) return [];
  const rows = await asTenant(
    db,
    tenantId,
    (tx) => tx.$queryRaw<FoundTest[]>`
      SELECT d.channel, d.state, coalesce(d.last_at, d.created_at) AS at, d.last_status AS status,
        d.last_error AS error
      FROM notice_deliveries d
      WHERE d.tenant_id = ${tenantId}::uuid AND d.notice_id = (
        SELECT n.id FROM notices n WHERE n.tenant_id = ${tenantId}::uuid AND n.kind = 'test'
          AND n.audience = ${`account:${accountId}`} ORDER BY n.opened_at DESC, n.id DESC LIMIT 1)
      ORDER BY d.channel DESC`,
  );
  return rows.map(({ channel, state, at, status, error }) => ({
    channel,
    state,
    at: at.toISOString(),
    words: error === null ? null : noticeTryWords(status, error),
  }));
}
