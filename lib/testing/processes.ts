import { type Child, startChild } from "@/workers/launch/child";
import { untilLine } from "@/workers/launch/ready";
import { projectRoot } from "@/workers/launch/root";

export interface ProcessOptions {
  command: string;
  args: string[];
  /** Added to the environment of the test itself. */
  env?: Record<string, string>;
  /** The process counts as started when a line of its output matches. */
  ready: RegExp;
  timeoutMs?: number;
  /** Receives every line of output as it comes. */
  onLine?: (line: string) => void;
}

/**
 * Starts a real process from the project's folder and waits until it says that it is ready. It ends with
 * the test run at the latest. Throws with its last lines when it ends early or stays silent.
 */
export async function startProcess(options: ProcessOptions): Promise<Child> {
  const child = startChild({
    name: [options.command, ...options.args].join(" "),
    command: options.command,
    args: options.args,
    cwd: projectRoot,
    env: { ...process.env, ...options.env },
    ...(options.onLine ? { onLine: options.onLine } : {}),
  });
  try {
    await untilLine(child, options.ready, options.timeoutMs ?? 60_000);
  } catch (error) {
    await child.stop(1_000);
    throw error;
  }
  return child;
}

const POLL_MS = 50;

interface WaitOptions {
  timeoutMs?: number;
  /** The pause between two tries. */
  everyMs?: number;
  what: string;
}

/**
 * Waits for a condition and returns what it gave: the first answer that is neither false, null nor
 * undefined. Throws with `what` and the last error of the condition when the time is over.
 */
export async function waitUntil<Value>(
  condition: () => Value | Promise<Value>,
  { timeoutMs = 30_000, everyMs = POLL_MS, what }: WaitOptions,
): Promise<NonNullable<Exclude<Value, false>>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await attempt(condition);
    if ("value" in answer && isThere(answer.value)) return answer.value;
    if (Date.now() > deadline) {
      const cause = "error" in answer ? { cause: answer.error } : {};
      throw new Error(`Waited ${timeoutMs} ms in vain until ${what}.`, cause);
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** An error is kept, not thrown: what is waited for may well fail until it holds. */
async function attempt<Value>(
  condition: () => Value | Promise<Value>,
): Promise<{ value: Value } | { error: unknown }> {
  try {
    return { value: await condition() };
  } catch (error) {
    return { error };
  }
}

function isThere<Value>(value: Value): value is NonNullable<Exclude<Value, false>> {
  return value !== null && value !== undefined && value !== (false as unknown);
}
