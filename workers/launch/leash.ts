import { spawn } from "node:child_process";

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
  child.stdin?.on("error", () => undefined);
  (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  return () => child.kill("SIGKILL");
}

const SCRIPT = `
cat >/dev/null
kill -s "$2" "$1" 2>/dev/null
tries=0
while kill -0 "$1" 2>/dev/null && [ $tries -lt 100 ]; do sleep 0.2; tries=$((tries + 1)); done
kill -s KILL "$1" 2>/dev/null
[ -z "$3" ] || rm -rf "$3"
`;
