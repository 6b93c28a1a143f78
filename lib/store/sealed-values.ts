import { Prisma } from "@/lib/store/prisma/client";
import type { Db, Tx } from "./db";

/** A column whose values the installation's key seals, and the parts of the place that each is bound to. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** SQL for the parts, in the order in which they were bound. */
  readonly parts: string;
}

const NO_TENANT = "'none'";

/** Every column that the installation's key seals (PV-3). A test compares this list with the schema. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  sealed("vault_subjects", "cipher_key_sealed", "'vault_subjects.cipher_key_sealed'", [
    "tenant_id",
    "subject_ref",
  ]),
  sealed("vault_subjects", "digest_key_sealed", "'vault_subjects.digest_key_sealed'", [
    "tenant_id",
    "subject_ref",
  ]),
  sealed("connections", "api_key_sealed", "'connections'", ["tenant_id", "id", "'api_key'"]),
  sealed("connections", "webhook_secrets_sealed", "'connections'", [
    "tenant_id",
    "id",
    "'webhook_secrets'",
  ]),
  sealed("subscribers", "secret_sealed", "'subscribers'", ["tenant_id", "id", "secret_id"]),
  sealed("subscribers", "previous_sealed", "'subscribers'", ["tenant_id", "id", "previous_id"]),
  sealed("notice_endpoints", "url_sealed", "'notice_endpoints'", ["tenant_id", "id", "'url'"]),
  sealed("notice_endpoints", "secret_sealed", "'notice_endpoints'", [
    "tenant_id",
    "id",
    "secret_id",
  ]),
  sealed("notice_preferences", "mail_to_sealed", "'notice_preferences'", [
    NO_TENANT,
    "account_id",
    "'mail'",
  ]),
  sealed("notice_preferences", "chat_url_sealed", "'notice_preferences'", [
    NO_TENANT,
    "account_id",
    "'chat'",
  ]),
  sealed("sessions", "provider_tokens", "'sessions'", ["id", "'provider_tokens'"]),
  sealed("installation_keys", "sealed", "'installation_keys'", [NO_TENANT, "name"]),
  sealed("inbox_events", "body_sealed", "'inbox_events'", ["tenant_id", "id"]),
];

function sealed(
  table: string,
  column: string,
  first: string,
  parts: readonly string[],
): SealedColumn {
  const all = [first, ...parts].map((part) => `(${part})::text`);
  return { table, column, parts: `ARRAY[${all.join(", ")}]` };
}

/** How many values of a column each key sealed. */
export interface SealedBy {
  readonly keyId: string;
  readonly count: number;
}

/** By which keys the values of a column are sealed, and how many by each. */
export async function sealersOf(db: Db, { table, column }: SealedColumn): Promise<SealedBy[]> {
  const value = Prisma.raw(column);
  return db.$queryRaw<SealedBy[]>`
    SELECT split_part(${value}, '.', 2) AS "keyId", count(*)::integer AS count FROM ${Prisma.raw(table)}
    WHERE ${value} LIKE 'v1.%' GROUP BY 1 ORDER BY 1`;
}

export interface SealedValue {
  /** Where the row lies now. */
  readonly at: string;
  readonly sealed: string;
  readonly parts: readonly string[];
}

/**
 * The next values of a column that another key than this one sealed, as the rows lie. Rows that somebody is writing are
 * waited for; what is taken stays locked until the transaction ends.
 */
export async function valuesNotSealedBy(
  tx: Tx,
  { table, column, parts }: SealedColumn,
  keyId: string,
  after: string,
  limit: number,
): Promise<readonly SealedValue[]> {
  const value = Prisma.raw(column);
  return tx.$queryRaw<SealedValue[]>`
    SELECT ctid::text AS at, ${value} AS sealed, ${Prisma.raw(parts)} AS parts FROM ${Prisma.raw(table)}
    WHERE ctid > ${after}::text::tid AND ${value} LIKE 'v1.%' AND split_part(${value}, '.', 2) <> ${keyId}
    LIMIT ${limit} FOR UPDATE`;
}

/** Puts other seals on values that still are what they were. Returns how many. */
export async function replaceSealed(
  tx: Tx,
  { table, column }: SealedColumn,
  values: readonly { readonly at: string; readonly sealed: string; readonly resealed: string }[],
): Promise<number> {
  const value = Prisma.raw(column);
  await tx.$executeRaw`SELECT set_config('deadline.resealing', 'on', true)`;
  return tx.$executeRaw`
    UPDATE ${Prisma.raw(table)} t SET ${value} = n.resealed
    FROM json_to_recordset(${JSON.stringify(values)}::json) AS n(at text, sealed text, resealed text)
    WHERE t.ctid = n.at::tid AND t.${value} = n.sealed`;
}
