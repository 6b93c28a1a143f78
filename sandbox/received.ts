import type { Database } from "./database";

/** One delivery as a receiver got it. */
export interface ReceivedDelivery {
  readonly webhook_id: string;
  /** How many signatures came with it: two during a rotation of the secret. */
  readonly signatures: number;
  /** True when one of the receiver's secrets made one of the signatures, within five minutes. */
  readonly verified: boolean;
  /** The body as it came in. */
  readonly body: string;
  /** The status that it was answered with. */
  readonly answered: number;
  /** RFC 3339. */
  readonly at: string;
}

export interface Receiver {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly status: number;
  readonly delayMs: number;
  readonly location: string | null;
  readonly times: number | null;
}

/** A receiver by its name; null when there is none. */
export async function receiverNamed(database: Database, name: string): Promise<Receiver | null> {
  const { rows } = await database.query<Receiver>(
    `SELECT name, secrets, status, delay_ms AS "delayMs", location, times FROM receivers WHERE name = $1`,
    [name],
  );
  return rows[0] ?? null;
}

/** Makes a receiver or replaces its settings. */
export async function putReceiver(database: Database, receiver: Receiver): Promise<void> {
  const { name, secrets, status, delayMs, location, times } = receiver;
  await database.query(
    `INSERT INTO receivers (name, secrets, status, delay_ms, location, times) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (name) DO UPDATE SET secrets = excluded.secrets, status = excluded.status,
       delay_ms = excluded.delay_ms, location = excluded.location, times = excluded.times`,
    [name, [...secrets], status, delayMs, location, times],
  );
}

/** Takes one of the answers that were asked for; what comes after them is answered with 200. */
export async function nextAnswer(
  database: Database,
  name: string,
): Promise<Pick<Receiver, "status" | "delayMs" | "location">> {
  const { rows } = await database.query<Pick<Receiver, "status" | "delayMs" | "location">>(
    `WITH present AS (SELECT * FROM receivers WHERE name = $1 FOR UPDATE), used AS (
       UPDATE receivers r SET times = r.times - 1 FROM present p WHERE r.name = p.name AND p.times > 0
     )
     SELECT CASE WHEN times = 0 THEN 200 ELSE status END AS status,
       CASE WHEN times = 0 THEN 0 ELSE delay_ms END AS "delayMs", location FROM present`,
    [name],
  );
  return rows[0] ?? { status: 404, delayMs: 0, location: null };
}

/** Keeps what came in. */
export async function keepReceived(
  database: Database,
  receiver: string,
  delivery: Omit<ReceivedDelivery, "at">,
): Promise<void> {
  const { webhook_id, signatures, verified, body, answered } = delivery;
  await database.query(
    `INSERT INTO received_deliveries (receiver, webhook_id, signatures, verified, body, answered)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [receiver, webhook_id, signatures, verified, body, answered],
  );
}

/** What a receiver was sent, oldest first, at most a thousand. */
export async function receivedBy(
  database: Database,
  receiver: string,
): Promise<ReceivedDelivery[]> {
  const { rows } = await database.query<Omit<ReceivedDelivery, "at"> & { at: Date }>(
    `SELECT webhook_id, signatures, verified, body, answered, at FROM (
       SELECT * FROM received_deliveries WHERE receiver = $1 ORDER BY id DESC LIMIT 1000) newest
     ORDER BY id`,
    [receiver],
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}
