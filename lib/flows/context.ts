import type { Role } from "@/lib/domain/role";
import type { Database } from "@/lib/store/db";

/**
 * Everything that a log line may hold (PV-4, C-37). A list of allowed fields, not of forbidden ones: what has no
 * place here cannot reach the log, so no address, name, link, secret, key or error text can.
 */
export interface LogEntry {
  readonly event: string;
  readonly tenant?: string;
  readonly op?: string;
  readonly connection?: string;
  /** IANA name of a zone. */
  readonly zone?: string;
  readonly kind?: string;
  readonly state?: string;
  readonly reason?: string;
  readonly actor?: string;
  readonly worker?: string;
  readonly fence?: number;
  readonly count?: number;
  readonly ms?: number;
  readonly status?: number;
  readonly method?: string;
  /** The pattern of a route (`/api/v1/t/{tenant}/requests`), never the address as called. */
  readonly route?: string;
  readonly requestId?: string;
  /** The class of an error and the first frames of our own code, never its message. */
  readonly error?: string;
  readonly at?: string;
  /** A port of this machine. */
  readonly port?: number;
}

export interface Log {
  debug(entry: LogEntry): void;
  info(entry: LogEntry): void;
  warn(entry: LogEntry): void;
  error(entry: LogEntry): void;
}

/** What flows and queries of the console and the API work with. */
export interface ConsoleContext {
  /** A pool under the role `deadline_console`: sees one tenant at a time and no platform credential. */
  readonly db: Database;
  /** The installation's key of 32 bytes that seals vault keys and secrets. */
  readonly vaultKey: Buffer;
  readonly log: Log;
  /** `host:port` of internal targets that subscribers may have, by a setting of the installation; none when left out. */
  readonly deliveryTargets?: readonly string[];
  /** How many days backups of the database are kept; said beside an erasure. */
  readonly backupDays?: number;
  /** Whether the installation has a mail server; off when left out. */
  readonly mailIsOn?: boolean;
}

/** Who acts in one tenant. Membership and scopes were read from the database in this very request (PV-1, C-36). */
export interface Actor {
  readonly tenantId: string;
  readonly kind: "user" | "key";
  /** Account id of a person, id of an API key otherwise. */
  readonly id: string;
  /** Null for keys. */
  readonly role: Role | null;
  /** Empty for people. */
  readonly scopes: readonly string[];
}

/** The name that history keeps: `user:<account uuid>` or `key:<api key uuid>`. */
export function actorName(actor: Pick<Actor, "kind" | "id">): string {
  return `${actor.kind}:${actor.id}`;
}
