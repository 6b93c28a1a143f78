import type { Tx } from "@/lib/store/db";

/** Who did something, as the console may show it: a role and a mark, never a name or an address. */
export interface Person {
  /** The actor string of the history. */
  readonly name: string;
  /** The role in this tenant; null for keys, workers, platforms, and for members who are gone. */
  readonly role: string | null;
  readonly mark: "person" | "agent" | "worker" | "platform" | "system" | "policy";
  readonly you: boolean;
}

/** What may be shown of each actor, by its actor string. */
export async function personsOf(
  tx: Tx,
  tenantId: string,
  names: readonly string[],
  viewerAccountId: string,
): Promise<ReadonlyMap<string, Person>> {
  const accounts = names.filter((name) => name.startsWith("user:")).map((name) => name.slice(5));
  const members = await tx.membership.findMany({
    where: { tenantId, accountId: { in: [...new Set(accounts)] }, removedAt: null },
    select: { accountId: true, role: true },
  });
  const roles = new Map(members.map(({ accountId, role }) => [`user:${accountId}`, role]));
  return new Map(
    names.map((name) => [
      name,
      {
        name,
        role: roles.get(name) ?? null,
        mark: MARKS[name.split(":")[0] ?? ""] ?? "system",
        you: name === `user:${viewerAccountId}`,
      },
    ]),
  );
}

const MARKS: Record<string, Person["mark"]> = {
  user: "person",
  key: "agent",
  worker: "worker",
  platform: "platform",
  policy: "policy",
};
