import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { amountOf } from "./contender";
import {
  type FloorStatements,
  floorStatements,
  type NamedStatement,
  PARTS_MAX,
} from "./floor-statements";
import type { Load } from "./full-path";

/**
 * The floor where pgbench is missing: the ledger's statements, prepared, with every transaction sent in one go by
 * the plain driver. Operations per second.
 */
export async function runPipelined(url: string, load: Load): Promise<number> {
  const statements = await floorStatements({ id: randomUUID(), name: "bench-floor" }, load.batch);
  const clients = Array.from(
    { length: load.workers },
    () => new Client({ connectionString: url, pipeline: true }),
  );
  await Promise.all(clients.map((client) => client.connect()));
  try {
    const startedMs = performance.now();
    await Promise.all(clients.map((client) => work(client, statements, load.cycles)));
    return amountOf(load) / ((performance.now() - startedMs) / 1000);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

async function work(client: Client, steps: FloorStatements, cycles: number): Promise<void> {
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const { rows } = await send(client, "claim", steps.claim, {});
    const row = rows[0] ?? {};
    for (let part = 0; part < Math.min(PARTS_MAX, Number(row.parts)); part += 1) {
      const given = {
        tenant: String(row[`tenant_${part}`]),
        held: String(row[`held_${part}`]),
        outcomes: String(row[`outcomes_${part}`]),
      };
      for (const step of ["intents", "outcomes"] as const) {
        await Promise.all([
          client.query("BEGIN"),
          send(client, "enter", steps.enter, given),
          send(client, step, steps[step], given),
          client.query("COMMIT"),
        ]);
      }
    }
  }
}

function send(
  client: Client,
  name: string,
  statement: NamedStatement,
  given: Record<string, string>,
) {
  const values: string[] = [];
  const text = statement.text.replace(/(?<!:):([a-z]\w*)/g, (_, variable: string) => {
    values.push(given[variable] ?? statement.fixed[variable] ?? "");
    return `$${values.length}`;
  });
  return client.query<Record<string, unknown>>({ name, text, values });
}
