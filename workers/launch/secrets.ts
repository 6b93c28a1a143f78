import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

const Secrets = z.object({
  vaultKey: z.string(),
  /** Those before it, while something may still be sealed by them. */
  oldVaultKeys: z.array(z.string()).default([]),
  nextAuthSecret: z.string(),
  databasePassword: z.string(),
});

/** `isNew` when they were made just now: whatever an earlier demo left elsewhere is unreadable. */
export type DemoSecrets = z.infer<typeof Secrets> & { isNew: boolean };

/**
 * The secrets of this folder's demo: made once, readable by their owner only. Throws when the database is
 * there and the secrets that open it are not.
 */
export function demoSecrets(dataFolder: string): DemoSecrets {
  const file = path.join(dataFolder, "secrets.json");
  if (existsSync(file)) return read(file);
  if (existsSync(path.join(dataFolder, "postgres"))) {
    throw new Error(
      `${file} is missing, and the data beside it cannot be read without it. ` +
        `Put it back, or delete ${dataFolder} to begin anew.`,
    );
  }
  const secrets = {
    vaultKey: randomBytes(32).toString("base64"),
    oldVaultKeys: [],
    nextAuthSecret: randomBytes(32).toString("base64"),
    databasePassword: randomBytes(24).toString("hex"),
  };
  mkdirSync(dataFolder, { recursive: true });
  write(file, secrets);
  return { ...secrets, isNew: true };
}

/**
 * Puts a new vault key in place of this folder's own, which goes on opening what it sealed. What runs takes it at its
 * next start. Throws while an earlier rotation has not ended.
 */
export function replaceVaultKey(dataFolder: string): void {
  const file = path.join(dataFolder, "secrets.json");
  const { isNew: _, ...secrets } = read(file);
  if (secrets.oldVaultKeys.length > 0) throw new Error("An earlier rotation has not ended.");
  const vaultKey = randomBytes(32).toString("base64");
  write(file, { ...secrets, vaultKey, oldVaultKeys: [secrets.vaultKey] });
}

/** Forgets the vault keys from before: nothing is sealed by them any more. */
export function forgetOldVaultKeys(dataFolder: string): void {
  const file = path.join(dataFolder, "secrets.json");
  const { isNew: _, ...secrets } = read(file);
  write(file, { ...secrets, oldVaultKeys: [] });
}

function write(file: string, secrets: z.infer<typeof Secrets>): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function read(file: string): DemoSecrets {
  try {
    return { ...Secrets.parse(JSON.parse(readFileSync(file, "utf8"))), isNew: false };
  } catch (error) {
    throw new Error(
      `${file} cannot be used (${(error as NodeJS.ErrnoException).code ?? "not what was written"}). ` +
        "Run as the user who made it, put the file back, or delete .data to begin anew.",
      { cause: error },
    );
  }
}
