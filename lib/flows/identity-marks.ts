import { createHmac } from "node:crypto";

/** A keyed hash of what a provider calls somebody or a session, so that neither stands in the database (PV-4). */
export function identityMark(vaultKey: Buffer, what: "subject" | "session", text: string): string {
  return createHmac("sha256", vaultKey).update(`identity ${what}\n${text}`).digest("base64url");
}
