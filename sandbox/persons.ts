import { z } from "zod";
import type { Account } from "./accounts";
import type { Platform } from "./context";
import { inTransaction } from "./database";
import { changeRequest } from "./platform";
import {
  completeRequest,
  declineRequest,
  expireRequest,
  extendRequest,
  type SandboxRequest,
  setReminders,
  signRequest,
  type Transition,
  viewRequest,
  voidRequest,
} from "./request";

/** What another person, or a signer, does at the platform; the API of our customer has no part in it. */
export const PersonsDeed = z.discriminatedUnion("change", [
  z.strictObject({ change: z.literal("set_expiry"), expires_at: z.iso.datetime() }),
  z.strictObject({ change: z.literal("set_reminders"), on: z.boolean() }),
  z.strictObject({ change: z.literal("void") }),
  z.strictObject({ change: z.literal("expire") }),
  z.strictObject({ change: z.literal("complete") }),
  z.strictObject({ change: z.literal("view"), signer: z.string() }),
  z.strictObject({ change: z.literal("sign"), signer: z.string() }),
  z.strictObject({ change: z.literal("decline"), signer: z.string() }),
]);

export type PersonsDeed = z.infer<typeof PersonsDeed>;

/** Does it, with `person` as the source of the effects. */
export function actAsPerson(
  platform: Platform,
  account: Account,
  requestId: string,
  deed: PersonsDeed,
): Promise<Transition> {
  return inTransaction(platform.database, (tx) =>
    changeRequest(platform, tx, {
      account,
      requestId,
      source: "person",
      transition: (request) => transitionOf(account, request, deed),
    }),
  );
}

/** Eleven days more: no expiry that a test would ask for, and right for every form of expiry. */
export function foreignExpiry(request: SandboxRequest): string {
  return new Date(Date.parse(request.expiresAt) + 11 * 86_400_000).toISOString();
}

function transitionOf(account: Account, request: SandboxRequest, deed: PersonsDeed): Transition {
  switch (deed.change) {
    case "set_expiry": {
      const expiresAt = new Date(deed.expires_at).toISOString();
      return extendRequest(request, expiresAt, account.profile.expiredIs);
    }
    case "set_reminders":
      return setReminders(request, deed.on);
    case "void":
      return voidRequest(request);
    case "expire":
      return expireRequest(request);
    case "complete":
      return completeRequest(request);
    case "view":
      return viewRequest(request, deed.signer);
    case "sign":
      return signRequest(request, deed.signer);
    case "decline":
      return declineRequest(request, deed.signer);
  }
}
