import { createHash } from "node:crypto";
import { z } from "zod";
import type { Account } from "./accounts";
import type { Database, Transaction } from "./database";
import {
  CALL_OPERATIONS,
  type CallOperation,
  FAULT_NAMES,
  FaultParameters,
  type FaultPlan,
  faultNamed,
} from "./faults";

/** When a rule strikes, counted over the calls that it has seen. */
const Occurs = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("always") }),
  z.strictObject({ kind: z.literal("first"), times: z.number().int().positive() }),
  z.strictObject({ kind: z.literal("nth"), n: z.number().int().positive() }),
  z.strictObject({
    kind: z.literal("random"),
    probability: z.number().min(0).max(1),
    seed: z.number().int(),
  }),
]);

type Occurs = z.infer<typeof Occurs>;

export const FaultRuleInput = z.strictObject({
  fault: z.enum(FAULT_NAMES),
  /** `any`: every operation on which the fault makes sense. */
  operation: z.enum([...CALL_OPERATIONS, "webhook", "any"]),
  occurs: Occurs.default({ kind: "first", times: 1 }),
  parameters: FaultParameters.default({}),
  /** Allows a fault that the account's descriptor rules out. */
  force: z.boolean().default(false),
});

export type FaultRuleInput = z.infer<typeof FaultRuleInput>;

export type FaultRule = Omit<FaultRuleInput, "force"> & {
  readonly id: string;
  /** Calls that the rule has looked at so far. */
  readonly seen: number;
};

const COLUMNS = "id, operation, fault, parameters, occurs, seen";

export async function addRule(
  database: Database,
  accountId: string,
  rule: FaultRuleInput,
): Promise<FaultRule> {
  const { rows } = await database.query<FaultRule>(
    `INSERT INTO fault_rules (account_id, operation, operations, fault, parameters, occurs)
     VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${COLUMNS}`,
    [
      accountId,
      rule.operation,
      rule.operation === "any" ? faultNamed(rule.fault).operations : [rule.operation],
      rule.fault,
      rule.parameters,
      rule.occurs,
    ],
  );
  const [added] = rows;
  if (!added) throw new Error("The rule was not stored.");
  return added;
}

export async function listRules(database: Database, accountId: string): Promise<FaultRule[]> {
  const { rows } = await database.query<FaultRule>(
    `SELECT ${COLUMNS} FROM fault_rules WHERE account_id = $1 ORDER BY id`,
    [accountId],
  );
  return rows;
}

/** Removes one rule, or all of the account when no id is given. */
export async function removeRules(
  database: Database,
  accountId: string,
  id: string | null,
): Promise<void> {
  await database.query(
    "DELETE FROM fault_rules WHERE account_id = $1 AND ($2::bigint IS NULL OR id = $2)",
    [accountId, id],
  );
}

/** Counts the call on every rule that looks at it and returns the plan of the first one that strikes. */
export async function planFor(
  database: Database | Transaction,
  account: Account,
  operation: CallOperation | "webhook",
): Promise<FaultPlan> {
  if (!account.hasFaultRules) return {};
  const { rows } = await database.query<FaultRule>(
    `UPDATE fault_rules SET seen = seen + 1
     WHERE account_id = $1 AND $2 = ANY (operations) RETURNING ${COLUMNS}`,
    [account.id, operation],
  );
  const striking = rows
    .sort((a, b) => Number(a.id) - Number(b.id))
    .find((rule) => strikes(rule.occurs, rule.seen));
  if (!striking) return {};
  return faultNamed(striking.fault).plan(account.profile, striking.parameters);
}

function strikes(occurs: Occurs, seen: number): boolean {
  switch (occurs.kind) {
    case "always":
      return true;
    case "first":
      return seen <= occurs.times;
    case "nth":
      return seen === occurs.n;
    case "random":
      return share(occurs.seed, seen) < occurs.probability;
  }
}

/** A number in [0, 1) that depends on nothing but the seed and the count, so that a run can be repeated. */
function share(seed: number, seen: number): number {
  return createHash("sha256").update(`${seed}:${seen}`).digest().readUInt32BE(0) / 2 ** 32;
}
