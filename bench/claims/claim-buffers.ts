import { randomUUID } from "node:crypto";
import { claimDue } from "@/lib/store/claims";
import type { Database } from "@/lib/store/db";
import { Prisma } from "@/lib/store/prisma/client";
import { captureStatements } from "./capture";
import { claimOptions } from "./full-path";

interface PlanNode {
  readonly "Subplan Name"?: string;
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
  readonly Plans?: readonly PlanNode[];
}

const WARM_UP = 7;

/** How many buffers the selecting part of a claim touches (C-10). The claim is explained and rolled back. */
export async function claimBuffers(owner: Database, batch: number): Promise<number> {
  const worker = { id: randomUUID(), name: "bench" };
  const [claim] = await captureStatements((db) => claimDue(db, claimOptions(worker, batch)));
  if (!claim) throw new Error("the claim sent no statement");
  let buffers: number | null = null;
  await owner
    .$transaction(async (tx) => {
      // What is in functions keeps its plan from the sixth run of a session on; planning reads the catalogue.
      for (let run = 0; run < WARM_UP; run += 1) {
        await tx.$executeRaw`SAVEPOINT warm`;
        await tx.$queryRaw(claim);
        await tx.$executeRaw`ROLLBACK TO warm`;
      }
      const [row] = await tx.$queryRaw<{ "QUERY PLAN": { Plan: PlanNode }[] }[]>(
        Prisma.sql`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${claim}`,
      );
      buffers = selectBuffers(row?.["QUERY PLAN"][0]?.Plan);
      throw new RolledBack();
    })
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
  if (buffers === null) throw new Error("the plan of a claim has no part that selects");
  return buffers;
}

/** Ends a transaction whose writes nobody wants. */
class RolledBack extends Error {}

function selectBuffers(node: PlanNode | undefined): number | null {
  if (!node) return null;
  if (node["Subplan Name"] === "CTE due")
    return node["Shared Hit Blocks"] + node["Shared Read Blocks"];
  for (const child of node.Plans ?? []) {
    const found = selectBuffers(child);
    if (found !== null) return found;
  }
  return null;
}
