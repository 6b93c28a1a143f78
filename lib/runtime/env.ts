import { z } from "zod";
import { withOlderKeys } from "@/lib/store/vault-cipher";

const VAULT_KEY_BYTES = 32;

const isVaultKey = (text: string) => Buffer.from(text, "base64").length === VAULT_KEY_BYTES;

const base = z.object({
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, "must start with postgres://"),
  DEADLINE_LEDGER_VAULT_KEY: z
    .string()
    .refine(isVaultKey, `must be ${VAULT_KEY_BYTES} bytes in base64`)
    .transform((text) => Buffer.from(text, "base64")),
  // Vault keys from before, as base64,base64: they open what is not sealed anew yet and seal nothing.
  DEADLINE_LEDGER_OLD_VAULT_KEYS: z
    .string()
    .default("")
    .transform((text) => text.split(",").filter((one) => one.trim() !== ""))
    .refine((list) => list.every(isVaultKey), `must be keys of ${VAULT_KEY_BYTES} bytes in base64`)
    .transform((list) => list.map((one) => Buffer.from(one, "base64"))),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  // Targets in internal networks that subscribers may have all the same, as host:port,host:port. None unless said.
  OUTBOX_ALLOWED_HOSTS: z
    .string()
    .default("")
    .transform((text) =>
      text
        .split(",")
        .map((one) => one.trim().toLowerCase())
        .filter((one) => one !== ""),
    )
    .refine(
      (list) => list.every((one) => /^\S+:\d{1,5}$/.test(one)),
      "must be host:port,host:port",
    ),
  WORKER_NAME: z.string().min(1).max(60).optional(),
  // Where a worker answers for metrics, health and readiness; 0 takes any free port.
  WORKER_HOST: z.string().min(1).default("127.0.0.1"),
  WORKER_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  // Who scrapes metrics shows it as a bearer token; without one only this machine may look.
  METRICS_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
  // The server by which people are told and the sender that it shows; mail is off while they are left out.
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, "must start with smtp:// or smtps://")
    .refine((text) => URL.canParse(text) && new URL(text).hostname !== "", "must name a server")
    .optional(),
  MAIL_FROM: z.email("must be an address").optional(),
  // The console's origin as people type it; links in messages lead there.
  NEXTAUTH_URL: z.url().default("http://localhost:3000"),
});

const MAIL_IS_WHOLE = {
  path: ["MAIL_FROM"],
  message: "goes together with SMTP_URL: set both or neither",
};

const mailIsWhole = (set: { SMTP_URL?: string | undefined; MAIL_FROM?: string | undefined }) =>
  (set.SMTP_URL === undefined) === (set.MAIL_FROM === undefined);

const shared = base.refine(mailIsWhole, MAIL_IS_WHOLE);

const consoleBase = base.extend({
  // The address for the console's own login, which can take no other role; left out, that of DATABASE_URL is used.
  CONSOLE_DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must start with postgres://")
    .optional(),
  // Signs and encrypts the session cookie; shorter secrets can be searched through.
  NEXTAUTH_SECRET: z.string().min(32, "must have at least 32 characters"),
  // The origin as people type it. Cookies are secure when it is https, and writes must come from it.
  NEXTAUTH_URL: z.url(),
  // How long backups of the database are kept, for the sentence that says until when they may hold an erased key.
  BACKUP_KEEP_DAYS: z.coerce.number().int().min(0).max(3_650).default(35),
  // Sign-in through an OpenID provider beside local accounts, when the first three are set.
  OIDC_ISSUER: z
    .url()
    .refine(
      (text) => /^https:|^http:\/\/(localhost|127\.0\.0\.1)(:|\/|$)/.test(text),
      "must be https, except on this machine",
    )
    .optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  // What the button calls it.
  OIDC_NAME: z.string().min(1).max(40).default("your company's account"),
  OIDC_SCOPE: z
    .string()
    .regex(/\bopenid\b/, "must contain openid")
    .default("openid email offline_access"),
  // How long an answer of the provider about a session counts before it is asked again.
  OIDC_RECHECK_SECONDS: z.coerce.number().min(0).max(3600).default(15),
});

const console = consoleBase.refine(mailIsWhole, MAIL_IS_WHOLE).refine(
  ({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }) => {
    const given = [OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET].filter(
      (one) => one !== undefined,
    );
    return given.length === 0 || given.length === 3;
  },
  { path: ["OIDC_ISSUER"], message: "goes together with OIDC_CLIENT_ID and OIDC_CLIENT_SECRET" },
);

interface VaultKeys {
  readonly DEADLINE_LEDGER_VAULT_KEY: Buffer;
  readonly DEADLINE_LEDGER_OLD_VAULT_KEYS: readonly Buffer[];
}

export type Env = z.infer<typeof shared>;
export type ConsoleEnv = z.infer<typeof console>;

let parsed: Env | undefined;
let parsedConsole: ConsoleEnv | undefined;

/** The environment of a worker, parsed once. Throws an error that names every wrong variable and no value. */
export function env(): Env {
  parsed ??= parse(shared);
  return parsed;
}

/** The environment of the console, parsed once. Throws like `env`. */
export function consoleEnv(): ConsoleEnv {
  parsedConsole ??= parse(console);
  return parsedConsole;
}

function parse<T extends VaultKeys>(schema: z.ZodType<T>): T {
  const result = schema.safeParse(process.env);
  if (result.success) {
    const { DEADLINE_LEDGER_VAULT_KEY: key, DEADLINE_LEDGER_OLD_VAULT_KEYS: older } = result.data;
    withOlderKeys(key, older);
    return result.data;
  }
  const lines = result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new Error(`The environment is not complete.\n${lines.join("\n")}`);
}
