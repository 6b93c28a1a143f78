import type { Deliver } from "@/lib/providers/delivery";
import type { Mailer } from "@/lib/providers/mail";

/** By what notices leave this installation (OB-2). */
export interface NoticeWays {
  /** Null while mail is off: no SMTP server is configured. */
  readonly mail: Mailer | null;
  /** The guarded client: no internal networks, no redirects. */
  readonly deliver: Deliver;
  /** The console's origin as people type it, without a slash at its end. */
  readonly consoleUrl: string;
}
