import { ownerWords } from "@/lib/domain/waiting";

/** "you", "the on-call team", "account 1a2b3c4d": an owner in a cell or inside a sentence. */
export function ownerText(owner: string, accountId: string): string {
  if (owner === `account:${accountId}`) return "you";
  const words = ownerWords(owner);
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}
