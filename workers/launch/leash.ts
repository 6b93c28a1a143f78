import { spawn } from "node:child_process";
import type { Socket } from "node:net";

/**
 * Ends another process when this one is gone, also after a kill -9: a small shell waits for the end of its
 * input, which the system closes with us. `remove` is a folder that is deleted after that. Returns the
 * function that takes the leash off. Does nothing on Windows, where there is no shell to wait.
 */
export function leash(
  pid: number,
  signal: "INT" | "TERM",
  remove: string | null = null,
): () => void {
  if (process.platform === "win32" || pid === 0) return () => undefined;
  const child = spawn("/bin/sh", ["-c", SCRIPT, "leash", String(pid), signal, remove ?? ""], {
    cwd: "/",
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.unref();
  const input = child.stdin as Socket | null;
  input?.unref();
  // The shell may be killed with everything else; then nobody reads the pipe, and nothing is lost.
  input?.on("error", () => undefined);
  return () => child.kill("SIGKILL");
}

/** Signals the whole process group where there is one, gives it 30 s, then kills it. */
const SCRIPT = `
read -r _
kill -s "$2" -- "-$1" 2>/dev/null || kill -s "$2" "$1" 2>/dev/null
tries=0
while kill -0 "$1" 2>/dev/null && [ $tries -lt 150 ]; do sleep 0.2; tries=$((tries + 1)); done
kill -s KILL -- "-$1" 2>/dev/null
[ -z "$3" ] || rm -rf "$3"
`;
