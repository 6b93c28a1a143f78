import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/** One hash over the names and contents of files, folders included with everything below them. */
export function contentStamp(root: string, sources: string[], leaveOut: RegExp): string {
  const hash = createHash("sha256").update(process.version);
  for (const source of sources) addTo(hash, root, source, leaveOut);
  return hash.digest("hex");
}

function addTo(
  hash: ReturnType<typeof createHash>,
  root: string,
  name: string,
  leaveOut: RegExp,
): void {
  const full = path.join(root, name);
  if (leaveOut.test(name) || !existsSync(full)) return;
  if (statSync(full).isDirectory()) {
    for (const entry of readdirSync(full).sort()) addTo(hash, root, `${name}/${entry}`, leaveOut);
    return;
  }
  hash.update(`\0${name}\0`).update(readFileSync(full));
}

/** Whether what was made from these sources is still there and carries their stamp. */
export function isStamped(file: string, stamp: string): boolean {
  return existsSync(file) && readFileSync(file, "utf8") === stamp;
}

export function writeStamp(file: string, stamp: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, stamp);
}
