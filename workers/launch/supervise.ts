import { createWriteStream, mkdirSync, type WriteStream } from "node:fs";
import path from "node:path";
import { type Child, type Exit, startChild } from "./child";
import { type Part, partArguments } from "./parts";
import { untilServing } from "./ready";
import { restartBudget } from "./restart-budget";
import { projectRoot } from "./root";

export interface SupervisorOptions {
  env: Record<string, string>;
  webPort: number;
  sandboxPort: number;
  logFolder: string;
  say: (line: string) => void;
  /** Called when a child came or went. */
  onChange: (children: Child[]) => void;
  /** Called once when a part cannot be kept alive. */
  onGivingUp: (reason: Error) => void;
}

export interface Supervisor {
  /** Starts a part and waits until it serves; throws with its last lines when it does not. */
  start(part: Part): Promise<void>;
  /** Stops everything: those that act first, then the platform that they act on. */
  stop(): Promise<void>;
}

const RESTART_REST_MS = 1_000;
const READY_TIMEOUT_MS = 90_000;

/** Keeps the parts running: one that dies is started again, within a bound. */
export function supervise(options: SupervisorOptions): Supervisor {
  const running = new Map<Part, Child>();
  const ports = { web: options.webPort, sandbox: options.sandboxPort };
  let stopping = false;

  const launch = (part: Part): Child => {
    const child = launchPart(part, options);
    running.set(part, child);
    options.onChange([...running.values()]);
    return child;
  };

  const keepAlive = (part: Part, child: Child, mayRestart = restartBudget()): void => {
    void child.exited.then(async (exit) => {
      if (stopping) return;
      options.say(`${part} ended unexpectedly (${inWords(exit)}); starting it again.`);
      if (!mayRestart()) return options.onGivingUp(hopeless(part, child));
      await new Promise((resolve) => setTimeout(resolve, RESTART_REST_MS));
      if (!stopping) keepAlive(part, launch(part), mayRestart);
    });
  };

  return {
    start: async (part) => {
      const child = launch(part);
      await untilServing(child, part, ports, READY_TIMEOUT_MS);
      keepAlive(part, child);
    },
    stop: async () => {
      stopping = true;
      const stop = (part: Part) => running.get(part)?.stop();
      await Promise.all([stop("web"), stop("worker")]);
      await stop("sandbox");
    },
  };
}

function launchPart(part: Part, options: SupervisorOptions): Child {
  const log = openLog(options.logFolder, part);
  const child = startChild({
    name: part,
    command: process.execPath,
    args: partArguments(part, options.webPort),
    cwd: projectRoot,
    env: { ...process.env, ...options.env },
    onLine: (line) => log.write(`${line}\n`),
  });
  void child.exited.then(() => log.end());
  return child;
}

function openLog(folder: string, part: Part): WriteStream {
  mkdirSync(folder, { recursive: true });
  return createWriteStream(path.join(folder, `${part}.log`), { flags: "a", mode: 0o600 });
}

function hopeless(part: Part, child: Child): Error {
  const lines = child.lastLines().slice(-30).join("\n");
  return new Error(`${part} does not stay up. Its last lines:\n${lines}`);
}

function inWords({ code, signal }: Exit): string {
  return signal ? `signal ${signal}` : `exit code ${code}`;
}
