import { readFileSync } from "node:fs";
import { z } from "zod";
import { DEFAULT_SEALS, type SealSettings } from "@/lib/flows/seal-chains";
import { type TimestampAuthority, timestampAuthority } from "@/lib/providers/timestamp";
import { connect, type Database } from "@/lib/store/db";

/** How this installation proves its history (SM-4). */
export interface ProofSettings {
  readonly seals: SealSettings;
  /** Null where seals are not time-stamped. */
  readonly authority: TimestampAuthority | null;
}

const MINUTE_MS = 60_000;

const Environment = z
  .object({
    // How often each tenant's history is sealed.
    SEAL_EVERY_MINUTES: z.coerce.number().int().min(1).max(10_080).default(60),
    // A time-stamping authority (RFC 3161) and the file of roots (PEM) that its certificate must lead to.
    TSA_URL: z.url({ protocol: /^https?$/ }).optional(),
    TSA_CA_FILE: z.string().min(1).optional(),
    // Dotted number of the policy to stamp under; the authority's own when left out.
    TSA_POLICY: z
      .string()
      .regex(/^\d+(\.\d+)+$/)
      .optional(),
  })
  .refine(({ TSA_URL, TSA_CA_FILE }) => (TSA_URL === undefined) === (TSA_CA_FILE === undefined), {
    path: ["TSA_CA_FILE"],
    message: "goes together with TSA_URL: set both or neither",
  });

/** Reads the settings from the environment. Throws an error that names every wrong variable and no value. */
export function proofSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ProofSettings {
  const { data, error } = Environment.safeParse(environment);
  if (!data) {
    const lines = error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw new Error(`The environment is not complete.\n${lines.join("\n")}`);
  }
  const { SEAL_EVERY_MINUTES, TSA_URL, TSA_CA_FILE, TSA_POLICY } = data;
  const authority =
    TSA_URL === undefined || TSA_CA_FILE === undefined
      ? null
      : timestampAuthority(TSA_URL, readFileSync(TSA_CA_FILE, "utf8"), TSA_POLICY ?? null);
  return { seals: { ...DEFAULT_SEALS, everyMs: SEAL_EVERY_MINUTES * MINUTE_MS }, authority };
}

/** A database whose history is to be checked, as the schema's owner; close it at the end. */
export function historyDatabase(databaseUrl: string): {
  readonly owner: Database;
  close(): Promise<void>;
} {
  const owner = connect(databaseUrl, { poolMax: 2 });
  return { owner, close: () => owner.$disconnect() };
}
