import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { leash } from "./leash";

export interface ChildOptions {
  name: string;
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string | undefined>;
  /** Receives every line of output as it comes. */
  onLine?: (line: string) => void;
}

export interface Child {
  name: string;
  pid: number;
  /** The newest lines of output, oldest first. */
  lastLines(): string[];
  /** Resolves when the process has ended and its output is complete; never rejects. */
  exited: Promise<Exit>;
  /** Sends a signal to the process alone, as SIGKILL or SIGSTOP in a test would. */
  kill(signal: NodeJS.Signals): void;
  /** Asks the process and its own children to end and waits; after `graceMs` they are killed. */
  stop(graceMs?: number): Promise<Exit>;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

const KEPT_LINES = 200;
/** Longer than a worker takes to finish or release what it holds (CL-7). */
const GRACE_MS = 30_000;

/**
 * Starts a program in a process group of its own: Ctrl-C in the terminal reaches the launcher alone, which
 * decides the order in which things stop. It ends when this process does, also after a kill -9.
 */
export function startChild(options: ChildOptions): Child {
  const { name, command, args, cwd } = options;
  const env = options.env as NodeJS.ProcessEnv;
  const detached = process.platform !== "win32";
  const child = spawn(command, args, { cwd, env, detached, stdio: ["ignore", "pipe", "pipe"] });
  const lines: string[] = [];
  const keep = (line: string) => {
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
    options.onLine?.(line);
  };
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", keep);
  }
  const pid = child.pid ?? 0;
  const unleash = leash(pid, "TERM");
  const exited = new Promise<Exit>((resolve) => {
    child.once("error", (error) => {
      keep(error.message);
      resolve({ code: null, signal: null });
    });
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  void exited.then(unleash);
  return {
    name,
    pid,
    exited,
    lastLines: () => [...lines],
    kill: (signal) => void child.kill(signal),
    stop: (graceMs = GRACE_MS) => stopGroup(pid, exited, graceMs),
  };
}

async function stopGroup(pid: number, exited: Promise<Exit>, graceMs: number): Promise<Exit> {
  signalGroup(pid, "SIGTERM");
  const timer = setTimeout(() => signalGroup(pid, "SIGKILL"), graceMs);
  const exit = await exited;
  clearTimeout(timer);
  // What the program itself may have started and left behind.
  signalGroup(pid, "SIGKILL");
  return exit;
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (pid === 0) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
