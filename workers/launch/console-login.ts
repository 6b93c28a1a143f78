import { createHash, createHmac } from "node:crypto";
import { Client } from "pg";

/** One login for the console of one database; roles belong to the whole server, databases do not. */
function loginOf(databaseUrl: string): string {
  const name = decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
  return `deadline_console_${createHash("sha256").update(name).digest("hex").slice(0, 12)}`;
}

/**
 * Makes a login that is a member of `deadline_console` and of nothing else, and returns the database's address for
 * it. A console that logs in with it cannot take another role, whatever statement reaches the database (PV-2). Its
 * password follows from `secret`. Needs the address of a role that may create roles.
 */
export async function consoleLogin(ownerUrl: string, secret: string): Promise<string> {
  const login = loginOf(ownerUrl);
  const password = createHmac("sha256", secret).update(`console login\n${login}`).digest("hex");
  await asOwner(ownerUrl, async (client) => {
    const [role, word] = [client.escapeIdentifier(login), client.escapeLiteral(password)];
    const known = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [login]);
    const verb = known.rowCount === 0 ? "CREATE" : "ALTER";
    await client.query(`${verb} ROLE ${role} LOGIN NOINHERIT PASSWORD ${word}`);
    await client.query(`GRANT deadline_console TO ${role}`);
  });
  const url = new URL(ownerUrl);
  url.username = login;
  url.password = password;
  return url.href;
}

/** Takes the login away again, for databases that are dropped. */
export async function dropConsoleLogin(ownerUrl: string): Promise<void> {
  await asOwner(ownerUrl, async (client) => {
    await client.query(`DROP ROLE IF EXISTS ${client.escapeIdentifier(loginOf(ownerUrl))}`);
  });
}

async function asOwner(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
