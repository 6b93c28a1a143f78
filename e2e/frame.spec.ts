import { DEMO_PASSWORD } from "@/prisma/demo/people";
import { complaintsOf, expect, expectNoAxeFinding, PEOPLE, type Person, test } from "./fixtures";
import { system } from "./system";

const LANDINGS: readonly (readonly [Person, string])[] = [
  ["AM1", "/t/north/approvals?tab=mine"],
  ["OC1", "/t/north/reviews?view=mine"],
  ["CO", "/t/north/history"],
  ["AD", "/t/north/system"],
];

test("PV-1: a person signs in with a password and lands where an account manager starts", async ({
  page,
}) => {
  const complaints = complaintsOf(page);
  await page.goto("/");
  await expect(page).toHaveURL(/\/sign-in$/);
  await page.getByLabel("Address").fill(PEOPLE.AM1);
  await page.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(/\/t\/north\/approvals\?tab=mine$/);
  await expect(page.getByRole("note")).toHaveText(
    "SANDBOX. Effects reach only the sandbox platform.",
  );
  expect(complaints).toEqual([]);
});

test("PV-6: a wrong password and an unknown account get the same answer", async ({ page }) => {
  await page.goto("/sign-in");
  for (const login of [PEOPLE.AM2, "nobody@north.example"]) {
    await page.getByLabel("Address").fill(login);
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    const answered = page.waitForResponse(/callback\/credentials/);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    expect((await answered).status()).toBe(401);
    await expect(page.locator("main").getByRole("alert")).toHaveText(
      "That did not work. Check address and password.",
    );
  }
});

test("PV-6: too many tries for one account are refused for a while, known or not", async ({
  page,
}) => {
  await page.goto("/sign-in");
  const { csrfToken } = (await (await page.request.get("/api/auth/csrf")).json()) as {
    csrfToken: string;
  };
  const answers: string[] = [];
  for (let tries = 0; tries < 11; tries += 1) {
    const response = await page.request.post("/api/auth/callback/credentials", {
      form: { csrfToken, login: "guessed@north.example", password: `guess ${tries}`, json: "true" },
    });
    answers.push(((await response.json()) as { url: string }).url);
  }
  expect(answers.slice(0, 10).every((url) => url.includes("CredentialsSignin"))).toBe(true);
  expect(answers[10]).toContain("too_many_tries");
});

for (const [person, landing] of LANDINGS) {
  test(`PV-1: ${person} lands on ${landing}`, async ({ page, signInAs }) => {
    await signInAs(person);
    await page.goto("/");
    await expect(page).toHaveURL(new RegExp(`${landing.replaceAll("?", "\\?")}$`));
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  });
}

test("PV-1: sign-in leads back to the page that was asked for, and to no other site", async ({
  page,
  signInAs,
}) => {
  await page.goto("/t/north/operations?state=done");
  await expect(page).toHaveURL(/callbackUrl=%2Ft%2Fnorth%2Foperations%3Fstate%3Ddone/);
  await signInAs("AM1");
  await page.reload();
  await expect(page).toHaveURL(/\/t\/north\/operations\?state=done$/);
  await page.goto("/sign-in?callbackUrl=https://elsewhere.example/");
  await expect(page).toHaveURL(/\/t\/north\//);
});

test("PV-2: a foreign tenant, an unknown one and an unknown page look exactly alike", async ({
  page,
  signInAs,
}) => {
  await signInAs("AM1");
  const seen = new Set<string>();
  for (const path of ["/t/south/requests", "/t/nowhere/requests", "/t/north/nothing-like-this"]) {
    const response = await page.goto(path);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Nothing here");
    await expect(page).toHaveTitle("Nothing here · Deadline Ledger");
    seen.add((await page.locator("main").textContent()) ?? "");
  }
  expect(seen.size).toBe(1);
  const problems = await Promise.all(
    ["/api/v1/t/south/pulse", "/api/v1/t/nowhere/pulse"].map(async (path) => {
      const response = await page.request.get(path);
      const { request_id: _, ...problem } = (await response.json()) as Record<string, unknown>;
      return { status: response.status(), problem };
    }),
  );
  expect(problems[0]).toEqual(problems[1]);
  expect(problems[0]?.status).toBe(404);
});

test("PV-1 C-36: a session that was ended is worth nothing from the next request on", async ({
  page,
  signInAs,
  sql,
}) => {
  const sid = await signInAs("AM1");
  await page.goto("/t/north/requests");
  expect((await page.request.get("/api/v1/t/north/pulse")).status()).toBe(200);
  await sql("UPDATE sessions SET revoked_at = now() WHERE id = $1", [sid]);
  expect((await page.request.get("/api/v1/t/north/pulse")).status()).toBe(401);
  // The open page notices by itself.
  await expect(page).toHaveURL(/\/sign-in\?ended=1/);
});

test("PV-1: signing out ends the session on the server, not only in the browser", async ({
  page,
  signInAs,
  sql,
}) => {
  const sid = await signInAs("AM1");
  await page.goto("/t/north/requests");
  await page.getByRole("button", { name: "Account menu" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  const [row] = await sql<{ ended: boolean }>(
    "SELECT revoked_at IS NOT NULL AS ended FROM sessions WHERE id = $1",
    [sid],
  );
  expect(row?.ended).toBe(true);
});

test("PV-1 C-36: a removed member is led out of the open page and keeps the other tenant", async ({
  page,
  signInAs,
  sql,
}) => {
  await signInAs("ROBIN");
  await page.goto("/t/north/requests");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const removal = `UPDATE memberships SET removed_at = $1 FROM tenants t, accounts a
    WHERE t.id = tenant_id AND a.id = account_id AND t.slug = 'north' AND a.login = $2`;
  await sql(removal, [new Date(), PEOPLE.ROBIN]);
  try {
    await expect(page.getByText("You no longer have access to that tenant.")).toBeVisible();
    await expect(page.getByRole("link", { name: "North Legal" })).toHaveCount(0);
    expect((await page.request.get("/api/v1/t/north/pulse")).status()).toBe(404);
    expect((await page.request.get("/api/v1/t/south/pulse")).status()).toBe(200);
  } finally {
    await sql(removal, [null, PEOPLE.ROBIN]);
  }
});

test("PV-6: a write that another site caused is refused, and so is one that names no origin", async ({
  page,
  signInAs,
}) => {
  await signInAs("AM1");
  const origins = [
    { origin: "https://elsewhere.example" },
    { origin: system().url, "sec-fetch-site": "cross-site" },
    {},
  ];
  for (const headers of origins) {
    const response = await page.request.patch("/api/v1/me", { data: { zone: "UTC" }, headers });
    expect(response.status()).toBe(403);
    expect(((await response.json()) as { code: string }).code).toBe("foreign_origin");
  }
});

test("PV-7: broken JSON, a large body, another content type and an unknown member are named", async ({
  page,
  signInAs,
}) => {
  await signInAs("AM1");
  const origin = new URL(system().url).origin;
  const patch = async (data: string, type = "application/json") => {
    const headers = { origin, "content-type": type };
    const response = await page.request.patch("/api/v1/me", { data: Buffer.from(data), headers });
    const { code } = (await response.json()) as { code: string };
    return [response.status(), code];
  };
  expect(await patch('{"zone": ')).toEqual([400, "body_unreadable"]);
  expect(await patch('{"zone":"UTC","zone":"UTC"}')).toEqual([400, "body_refused"]);
  expect(await patch(`{"zone":"${"x".repeat(2_000_000)}"}`)).toEqual([413, "body_too_large"]);
  expect(await patch("zone=UTC", "text/plain")).toEqual([415, "body_type"]);
  expect(await patch('{"zone":"UTC","role":"admin"}')).toEqual([422, "fields_unusable"]);
  expect(await patch('{"zone":"Mars/Olympus"}')).toEqual([422, "zone_unknown"]);
});

test("PV-6: API keys read what their scopes allow, and only in their tenant", async ({
  page,
  sql,
}) => {
  const key = `dl_${"k".repeat(40)}`;
  await sql(
    `INSERT INTO api_keys (tenant_id, id, name, key_hash, scopes, created_by)
     SELECT t.id, gen_random_uuid(), 'frame test', encode(sha256($1::bytea), 'hex'), ARRAY['read'], a.id
     FROM tenants t, accounts a WHERE t.slug = 'north' AND a.login = $2`,
    [key, PEOPLE.AM1],
  );
  const asked = async (path: string, token: string) =>
    (await page.request.get(path, { headers: { authorization: `Bearer ${token}` } })).status();
  expect(await asked("/api/v1/t/north/requests", key)).toBe(200);
  expect(await asked("/api/v1/t/south/requests", key)).toBe(404);
  expect(await asked("/api/v1/t/north/requests", `${key}x`)).toBe(401);
  await sql("UPDATE api_keys SET revoked_at = now() WHERE name = 'frame test'");
  expect(await asked("/api/v1/t/north/requests", key)).toBe(401);
});

for (const scheme of ["light", "dark"] as const) {
  for (const path of ["/sign-in", "/tenants", "/me", "/t/north/requests"]) {
    test(`axe finds nothing on ${path}, which fits the screen, ${scheme} @390`, async ({
      page,
      signInAs,
    }) => {
      await page.emulateMedia({ colorScheme: scheme });
      const complaints = complaintsOf(page);
      if (path !== "/sign-in") await signInAs("ROBIN");
      await page.goto(path);
      await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", scheme);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expectNoAxeFinding(page);
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(sideways).toBe(0);
      expect(complaints).toEqual([]);
    });
  }
}

test("the palette, the shortcuts and the tenant switch work by keyboard and pass axe", async ({
  page,
  signInAs,
}) => {
  const complaints = complaintsOf(page);
  await signInAs("ROBIN");
  await page.goto("/t/north/requests");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await expectNoAxeFinding(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Search or jump" }).fill("req_7002");
  await expectNoAxeFinding(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/t\/north\/requests\/req_7002$/);
  // Keys are silent while the palette's field still has the focus.
  await expect(page.getByRole("textbox", { name: "Search or jump" })).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1, name: /req_7002/ })).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await expect(page).toHaveURL(/\/t\/north\/operations/);
  await page.getByRole("button", { name: "Tenant: North Legal" }).click();
  await page.getByRole("menuitem", { name: /South Trading/ }).click();
  await expect(page).toHaveURL(/\/t\/south\/operations/);
  expect(complaints).toEqual([]);
});

test("C-38: the reading zone is kept for the person and stands in the address", async ({
  page,
  signInAs,
}) => {
  await signInAs("AM1");
  await page.goto("/t/north/requests");
  await page.getByText("My zone (Europe/Berlin)").click();
  await expect(page).toHaveURL(/tz=Europe(%2F|\/)Berlin/);
  await page.goto("/t/north/operations");
  await expect(page.getByRole("radio", { name: "My zone (Europe/Berlin)" })).toBeChecked();
});

test("1.4: a page that hears nothing says so, and recovers by itself", async ({
  page,
  signInAs,
}) => {
  await page.clock.install();
  await signInAs("AM1");
  await page.goto("/t/north/requests");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await page.route("**/api/v1/**", (route) => route.abort());
  // After 5 s it is late, after 30 s it is lost.
  await page.clock.fastForward(6_000);
  await expect(page.getByText(/^Last update \d+ s ago$/)).toBeVisible();
  await page.clock.fastForward(26_000);
  await expect(page.getByText(/This page may be out of date since/)).toBeVisible();
  await expect(page.getByText(/^Not connected since/)).toBeVisible();
  await page.unroute("**/api/v1/**");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
});
