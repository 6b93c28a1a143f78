import { claimDue } from "@/lib/store/claims";
import { asTenant } from "@/lib/store/db";
import { storeIntents } from "@/lib/store/intents";
import { writeOutcomes } from "@/lib/store/outcomes";
import type { Prisma } from "@/lib/store/prisma/client";
import { captureStatements } from "./capture";
import { accepted, claimOptions, intent, type Worker } from "./full-path";

/** A value that stands in a captured statement for what the claim gives. */
const TENANT = "(tenant)";
const NOTHING = "[]";

/** The ledger's own statements, with a name in place of every value that is known only after the claim. */
export interface FloorStatements {
  readonly claim: NamedStatement;
  /** Sets the tenant at the beginning of a transaction. */
  readonly enter: NamedStatement;
  readonly intents: NamedStatement;
  readonly outcomes: NamedStatement;
}

/** SQL with `:name` placeholders; `fixed` has the values that are the same in every cycle. */
export interface NamedStatement {
  readonly text: string;
  readonly fixed: Readonly<Record<string, string>>;
}

/**
 * What the store sends for one batch, taken from the store itself. `tenant`, `held` and `outcomes` are the names of
 * what the claim gives; the claim is wrapped so that it gives them, per tenant and as JSON, which costs the floor a
 * little and the ledger nothing.
 */
export async function floorStatements(worker: Worker, batch: number): Promise<FloorStatements> {
  const [claim] = await captureStatements((db) => claimDue(db, claimOptions(worker, batch)));
  const [enter, intents] = await captureStatements((db) =>
    asTenant(db, TENANT, (tx) => storeIntents(tx, TENANT, worker, [])),
  );
  const [, outcomes] = await captureStatements((db) =>
    asTenant(db, TENANT, (tx) => writeOutcomes(tx, TENANT, worker.name, [])),
  );
  return {
    claim: wrapClaim(named(claim, "claim", "held")),
    enter: asWorkerRole(named(enter, "enter", "held")),
    intents: named(intents, "intents", "held"),
    outcomes: named(outcomes, "outcomes", "outcomes"),
  };
}

function named(sql: Prisma.Sql | undefined, prefix: string, json: string): NamedStatement {
  if (!sql) throw new Error(`the store sent no statement for ${prefix}`);
  const fixed: Record<string, string> = {};
  const names = sql.values.map((value, place) => {
    if (value === TENANT) return ":tenant";
    if (value === NOTHING) return `:${json}`;
    if (value === "") return "''";
    fixed[`${prefix}_${place}`] = String(value);
    return `:${prefix}_${place}`;
  });
  const text = sql.strings.reduce((all, part, place) => `${all}${names[place - 1] ?? ""}${part}`);
  return { text, fixed };
}

/** A floor client has one connection where the ledger has two pools: it takes the worker's role per transaction. */
function asWorkerRole({ text, fixed }: NamedStatement): NamedStatement {
  return {
    text: text.replace("SELECT ", "SELECT set_config('role', 'deadline_worker', true), "),
    fixed,
  };
}

/** More tenants than this are never in one claim while every tenant has enough due and none is far ahead. */
export const PARTS_MAX = 8;

function wrapClaim({ text, fixed }: NamedStatement): NamedStatement {
  const id = "(opId)";
  const held = jsonBuilder(intent({ opId: id, fence: 0, payloadHash: "(payloadHash)" }));
  const outcomes = jsonBuilder(accepted({ opId: id, fence: 0 }));
  const parts = Array.from({ length: PARTS_MAX }, (_, part) =>
    ["tenant", "held", "outcomes"].map(
      (name) => `coalesce(max(${name}) FILTER (WHERE part = ${part}), '') AS ${name}_${part}`,
    ),
  );
  return {
    text: `WITH claimed AS (${text}), parts AS (
      SELECT row_number() OVER () - 1 AS part, "tenantId"::text AS tenant,
        json_agg(${held})::text AS held, json_agg(${outcomes})::text AS outcomes
      FROM claimed GROUP BY "tenantId")
    SELECT count(*) AS parts, ${parts.flat().join(", ")} FROM parts`,
    fixed,
  };
}

/** An SQL expression that builds the same JSON from a row of the claim. */
function jsonBuilder(value: unknown): string {
  if (value === "(opId)") return `"opId"`;
  if (value === "(payloadHash)") return `"payloadHash"`;
  if (value === 0) return "fence";
  if (typeof value === "string") return `'${value}'`;
  if (typeof value !== "object" || value === null) return String(value);
  const fields = Object.entries(value).map(([name, field]) => `'${name}', ${jsonBuilder(field)}`);
  return `json_build_object(${fields.join(", ")})`;
}
