import type { Db } from "./db";
import { newVaultKey, placeOf, seal, unseal } from "./vault-cipher";

type InstallationKeyName = "identity_marks";

const placeOfKey = (name: InstallationKeyName) => placeOf("installation_keys", "none", name);

/**
 * A key of the installation, made when it is first asked for; of two who ask at once both get the same. It is sealed by
 * the vault key and stays when that one is replaced (PV-3).
 */
export async function installationKey(
  db: Db,
  vaultKey: Buffer,
  name: InstallationKeyName,
): Promise<Buffer> {
  const found = await db.installationKey.findUnique({ where: { name } });
  if (found !== null) return unseal(vaultKey, found.sealed, placeOfKey(name));
  await db.$executeRaw`
    INSERT INTO installation_keys (name, sealed)
    VALUES (${name}, ${seal(vaultKey, newVaultKey(), placeOfKey(name))}) ON CONFLICT DO NOTHING`;
  return installationKey(db, vaultKey, name);
}
