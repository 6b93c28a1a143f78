import type { InstallationContext } from "@/lib/flows/pause-all";
import { connect } from "@/lib/store/db";

/** Composes what an operator of the installation works with on the command line; close it at the end. */
export function installationContext(
  databaseUrl: string,
  vaultKey: Buffer,
): InstallationContext & { close(): Promise<void> } {
  const owner = connect(databaseUrl, { poolMax: 2 });
  return { owner, vaultKey, close: () => owner.$disconnect() };
}
