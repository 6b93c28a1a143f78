import { Client } from "pg";
import { expect, test } from "vitest";
import { testDatabase } from "@/lib/testing/database";
import { consoleLogin, dropConsoleLogin } from "./console-login";

test("PV-2 PL-1: the console's login cannot take the worker's or the owner's role, nor read a credential", async () => {
  const { url, close } = await testDatabase();
  const login = await consoleLogin(url, "a secret");
  expect(await consoleLogin(url, "a secret")).toBe(login);
  const client = new Client({ connectionString: login, options: "-c role=deadline_console" });
  await client.connect();
  const refused = (sql: string) =>
    client.query(sql).then(
      () => null,
      (error: { code?: string }) => error.code,
    );

  const { rows } = await client.query("SELECT current_user");
  expect(rows).toEqual([{ current_user: "deadline_console" }]);
  expect(await refused("SET ROLE deadline_worker")).toBe("42501");
  expect(await refused(`SET ROLE ${new URL(url).username}`)).toBe("42501");
  expect(await refused("SELECT api_key_sealed FROM connections")).toBe("42501");

  await client.end();
  await dropConsoleLogin(url);
  await close();
});
