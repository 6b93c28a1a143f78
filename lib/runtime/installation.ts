import type { InstallationContext } from "@/lib/flows/pause-all";
import { connect } from "@/lib/store/db";
import { withOlderKeys } from "@/lib/store/vault-cipher";

/** The vault key of an environment, which opens what the older ones sealed as well; null where there is none. */
export function vaultKeyIn(
  environment: Readonly<Record<string, string | undefined>>,
): Buffer | null {
  const { DEADLINE_LEDGER_VAULT_KEY: key, DEADLINE_LEDGER_OLD_VAULT_KEYS: older = "" } =
    environment;
  if (!key) return null;
  const given = older.split(",").filter((one) => one.trim() !== "");
  const keys = given.map((one) => Buffer.from(one, "base64"));
  return withOlderKeys(Buffer.from(key, "base64"), keys);
}

/** Composes what an operator of the installation works with on the command line; close it at the end. */
export function installationContext(
  databaseUrl: string,
  vaultKey: Buffer,
): InstallationContext & { close(): Promise<void> } {
  const owner = connect(databaseUrl, { poolMax: 2 });
  return { owner, vaultKey, close: () => owner.$disconnect() };
}
