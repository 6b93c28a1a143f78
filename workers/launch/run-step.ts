import { startChild } from "./child";
import { projectRoot } from "./root";

/** Runs a program of this project to its end; every line goes to `onLine`. Returns its exit code. */
export async function runStep(
  args: string[],
  options: { env?: Record<string, string>; onLine: (line: string) => void },
): Promise<number> {
  const child = startChild({
    name: args[0] ?? "node",
    command: process.execPath,
    args,
    cwd: projectRoot,
    env: { ...process.env, ...options.env },
    onLine: options.onLine,
  });
  const stop = () => void child.stop();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const { code } = await child.exited;
  process.off("SIGINT", stop).off("SIGTERM", stop);
  return code ?? 1;
}

/** As `runStep`, but throws with the last lines when the program fails. */
export async function mustRun(
  what: string,
  args: string[],
  options: { env?: Record<string, string>; onLine?: (line: string) => void } = {},
): Promise<void> {
  const lines: string[] = [];
  const onLine = (line: string) => {
    lines.push(line);
    options.onLine?.(line);
  };
  const code = await runStep(args, { ...options, onLine });
  if (code !== 0) throw new Error(`${what} failed:\n${lines.slice(-60).join("\n")}`);
}
