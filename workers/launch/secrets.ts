import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

const Secrets = z.object({
  vaultKey: z.string(),
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
    nextAuthSecret: randomBytes(32).toString("base64"),
    databasePassword: randomBytes(24).toString("hex"),
  };
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return { ...secrets, isNew: true };
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
