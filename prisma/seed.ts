import { fileURLToPath } from "node:url";
import { connect } from "@/lib/store/db";
import { withOlderKeys } from "@/lib/store/vault-cipher";
import { type DemoSurroundings, seedConnection } from "./demo/connection";
import { accountLines, DEMO_TENANTS, seedPeople } from "./demo/people";
import { seedRequests } from "./demo/requests";
import { seedSubscriber } from "./demo/subscriber";

/**
 * Puts two demo tenants in place: people, a connection to the sandbox platform, and requests that really exist
 * there. Running it again changes nothing but addresses. Returns the lines that tell how to sign in.
 */
export async function seed(
  databaseUrl: string,
  around: DemoSurroundings,
): Promise<readonly string[]> {
  const db = connect(databaseUrl, { poolMax: 2 });
  try {
    await seedPeople(db);
    for (const { slug } of DEMO_TENANTS) {
      const connection = await seedConnection(db, slug, around);
      await seedSubscriber(db, slug, around);
      await seedRequests(db, around.vaultKey, connection);
    }
  } finally {
    await db.$disconnect();
  }
  return accountLines();
}

/** Vault keys from before, which open what is not sealed anew yet. */
function oldKeys(text = ""): Buffer[] {
  return text
    .split(",")
    .filter((one) => one !== "")
    .map((one) => Buffer.from(one, "base64"));
}

function given(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name} to seed the demo tenants.`);
  return value;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lines = await seed(given("DATABASE_URL"), {
    sandboxUrl: given("SANDBOX_URL"),
    vaultKey: withOlderKeys(
      Buffer.from(given("DEADLINE_LEDGER_VAULT_KEY"), "base64"),
      oldKeys(process.env.DEADLINE_LEDGER_OLD_VAULT_KEYS),
    ),
    webUrl: process.env.NEXTAUTH_URL,
  });
  process.stdout.write(`${lines.join("\n")}\n`);
}
