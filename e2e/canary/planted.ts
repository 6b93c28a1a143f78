import { randomBytes } from "node:crypto";
import { system } from "@/e2e/system";
import type { Canary } from "@/lib/testing/canaries";
import type { Sql } from "./said";

/** What this run puts into every field that people and platforms fill. The words occur nowhere in the product. */
export const PLANTED = {
  signer: "Quilla Zephyrine Marwood",
  address: "quilla.marwood.8841@zephyrpost.invalid",
  other: "Bartholomew Wexcombe",
  otherAddress: "b.wexcombe@umbrafeld.invalid",
  phone: "+49 151 5550 7731",
  title: "Lease of the Wolverhampstead mill",
  message: "Please sign, or ring +49 151 5550 7731 and ask for Wexcombe.",
  link: "https://sign.invalid/s/tok_Umbrafeld_9f3c2a77",
  hookSecret: `hook${randomBytes(12).toString("hex")}`,
} as const;

const ofRun: readonly Canary[] = [
  { name: "signer", value: PLANTED.signer, pieces: ["zephyrine", "marwood", "quilla"] },
  { name: "address", value: PLANTED.address, pieces: ["quilla.marwood.8841", "zephyrpost"] },
  { name: "other signer", value: PLANTED.other, pieces: ["bartholomew", "wexcombe"] },
  { name: "other address", value: PLANTED.otherAddress, pieces: ["umbrafeld"] },
  { name: "phone", value: PLANTED.phone, pieces: ["4915155507731", "5550 7731"] },
  { name: "title", value: PLANTED.title, pieces: ["wolverhampstead"] },
  { name: "message", value: PLANTED.message },
  { name: "link", value: PLANTED.link, pieces: ["tok_umbrafeld_9f3c2a77"] },
  { name: "address of a hook", value: PLANTED.hookSecret },
];

/** Words of the platform's answers to calls that fail (C-37). */
const ofFaults: readonly Canary[] = [
  { name: "address in an error", value: "pat.canary@example.com" },
  { name: "link in an error", value: "tok_CANARY_9f3c2a" },
];

/**
 * Everything personal or secret that the platform knows after the run, whichever test brought it there, every secret of
 * the installation, and those that this run was shown once.
 */
export async function canariesOf(
  platform: Sql,
  shownOnce: readonly Canary[],
): Promise<readonly Canary[]> {
  const known = [...ofRun, ...ofFaults, ...shownOnce];
  const values = new Set(known.map(({ value }) => value));
  const others = [...(await ofPlatform(platform)), ...ofInstallation()];
  return [...known, ...others.filter(({ value }) => !values.has(value))];
}

async function ofPlatform(platform: Sql): Promise<Canary[]> {
  const people = await platform<{ name: string; email: string; token: string; title: string }>(
    `SELECT DISTINCT s ->> 'name' AS name, s ->> 'email' AS email, s ->> 'token' AS token, document ->> 'title' AS title
     FROM snapshots, jsonb_array_elements(document -> 'signers') s`,
  );
  const secrets = await platform<{ secret: string }>(
    `SELECT api_key AS secret FROM accounts UNION SELECT webhook_secret FROM accounts WHERE webhook_secret IS NOT NULL
     UNION SELECT unnest(secrets) FROM receivers UNION SELECT key FROM tsa_keys`,
  );
  const values = [
    ...people.flatMap(({ name, email, token, title }) => [
      ["name at the platform", name],
      ["address at the platform", email],
      ["signing link at the platform", token],
      ["title at the platform", title],
    ]),
    ...secrets.map(({ secret }) => ["secret at the platform", secret]),
  ];
  return distinct(values);
}

function ofInstallation(): Canary[] {
  const { NEXTAUTH_SECRET, DEADLINE_LEDGER_VAULT_KEY, OIDC_CLIENT_SECRET, CONSOLE_DATABASE_URL } =
    system().env;
  const password = new URL(CONSOLE_DATABASE_URL ?? "").password;
  const secrets = [NEXTAUTH_SECRET, DEADLINE_LEDGER_VAULT_KEY, OIDC_CLIENT_SECRET, password];
  return distinct(secrets.map((secret) => ["secret of the installation", secret ?? ""]));
}

/** Of so many characters at least; shorter ones are words of the product too. */
const LONG = 9;

function distinct(values: readonly (readonly string[])[]): Canary[] {
  const byValue = new Map(values.map(([name = "", value = ""]) => [value, { name, value }]));
  return [...byValue.values()].filter(({ value }) => value.length >= LONG);
}
