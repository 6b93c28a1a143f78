import type { Db } from "@/lib/store/db";
import { Prisma } from "@/lib/store/prisma/client";

/** The SQL that a store function sends, with its values. */
export async function sqlOf(run: (db: Db) => Promise<unknown>): Promise<Prisma.Sql> {
  let seen: Prisma.Sql | undefined;
  const recorder = {
    $queryRaw: (strings: TemplateStringsArray, ...values: unknown[]) => {
      seen = Prisma.sql(strings, ...values);
      return Promise.resolve([]);
    },
  };
  await run(recorder as unknown as Db);
  if (!seen) throw new Error("no statement was sent");
  return seen;
}
