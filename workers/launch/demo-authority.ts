import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const ANSWER_MS = 10_000;

/**
 * Where the seals of this machine's run are time-stamped (SM-4): the sandbox's own authority, whose root is written
 * into the folder, since only its keeper knows it. Nothing when the caller names an authority. Throws when the
 * sandbox, which must be up, gives no root.
 */
export async function demoAuthority(
  sandboxUrl: string,
  dataFolder: string,
  outer: Readonly<Record<string, string | undefined>> = process.env,
): Promise<{ TSA_URL?: string; TSA_CA_FILE?: string }> {
  if (outer.TSA_URL !== undefined || outer.TSA_CA_FILE !== undefined) return {};
  const answer = await fetch(`${sandboxUrl}/tsa/root.pem`, {
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  if (!answer.ok) throw new Error(`The sandbox answered ${answer.status} for its root.`);
  const file = path.join(dataFolder, "sandbox-tsa-root.pem");
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(file, await answer.text());
  return { TSA_URL: `${sandboxUrl}/tsa`, TSA_CA_FILE: file };
}
