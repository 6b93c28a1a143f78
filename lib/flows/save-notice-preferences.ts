import { Refusal } from "@/lib/domain/refusal";
import { asAccount, type Tx } from "@/lib/store/db";
import { type PreferenceRow, preferenceOf, savePreference } from "@/lib/store/notice-preferences";
import { sealNoticeSecret } from "@/lib/store/notice-secrets";
import type { ConsoleContext } from "./context";
import { hookAddress } from "./hook-address";

/** How a person wants to be told (OB-2). */
export interface NoticePreferencesWish {
  readonly mail: boolean;
  /** Another address than the login; null for the login, left out to keep what is saved. */
  readonly mailTo?: string | null | undefined;
  readonly chat: boolean;
  /** Address of an incoming webhook of the person's own; left out to keep what is saved. */
  readonly chatUrl?: string | undefined;
  /** Wall-clock times `HH:MM` in the person's zone; null for none. */
  readonly quiet: { readonly from: string; readonly until: string } | null;
}

/**
 * Saves how a person wants to be told. Addresses are sealed and never shown to anybody else. Throws Refusal
 * `fields_unusable`, `delivery_target_refused`.
 */
export async function saveNoticePreferences(
  ctx: ConsoleContext,
  accountId: string,
  wish: NoticePreferencesWish,
): Promise<void> {
  if (wish.quiet !== null && wish.quiet.from === wish.quiet.until) {
    const sentence = "Must differ from the time at which they begin.";
    throw new Refusal("fields_unusable", { fields: [{ path: "quiet.until", sentence }] });
  }
  const chatUrl = wish.chatUrl === undefined ? null : hookAddress(ctx, wish.chatUrl, "chatUrl");
  await asAccount(ctx.db, accountId, async (tx) => {
    const row = await wantedRow(ctx, tx, accountId, wish, chatUrl);
    if (row.chat && row.chatUrlSealed === null) {
      const sentence = "Give the address of the incoming webhook.";
      throw new Refusal("fields_unusable", { fields: [{ path: "chatUrl", sentence }] });
    }
    await savePreference(tx, accountId, row);
  });
}

async function wantedRow(
  { vaultKey }: ConsoleContext,
  tx: Tx,
  accountId: string,
  wish: NoticePreferencesWish,
  chatUrl: URL | null,
): Promise<PreferenceRow> {
  const before = await preferenceOf(tx, accountId);
  const sealed = (of: "mail" | "chat", value: string) =>
    sealNoticeSecret(vaultKey, { of, accountId }, value);
  const kept = before?.mailToSealed ?? null;
  return {
    mail: wish.mail,
    mailToSealed:
      wish.mailTo === undefined ? kept : wish.mailTo === null ? null : sealed("mail", wish.mailTo),
    chat: wish.chat,
    chatUrlSealed:
      chatUrl === null ? (before?.chatUrlSealed ?? null) : sealed("chat", chatUrl.href),
    quietFrom: wish.quiet?.from ?? null,
    quietUntil: wish.quiet?.until ?? null,
  };
}
