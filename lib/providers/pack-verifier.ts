import { readFile } from "node:fs/promises";

/** The offline verifier that goes into every pack, as it stands in docs/. Rejects when this build has lost it. */
export function verifierText(): Promise<string> {
  return readFile(new URL("../../docs/verify-pack.mjs", import.meta.url), "utf8");
}
