import { connect } from "node:net";
import type { Child } from "./child";
import type { Part } from "./parts";

const POLL_MS = 100;

/**
 * Waits until something answers on a port. Throws with the child's last lines when it ends first, or when
 * the time is over.
 */
async function untilListening(child: Child, port: number, timeoutMs: number): Promise<void> {
  await untilReady(child, () => answers(port), timeoutMs);
}

/** Waits until a line of output matches. Throws as `untilListening` does. */
export async function untilLine(child: Child, line: RegExp, timeoutMs: number): Promise<void> {
  await untilReady(child, async () => child.lastLines().some((each) => line.test(each)), timeoutMs);
}

/** Long enough for a worker that is told to be silent to read its configuration and reach the database. */
const SILENT_WORKER_MS = 10_000;

/** Waits until a part serves: the worker says so, the others answer on their port. */
export async function untilServing(
  child: Child,
  part: Part,
  ports: { web: number; sandbox: number },
  timeoutMs: number,
): Promise<void> {
  if (part !== "worker") return untilListening(child, ports[part], timeoutMs);
  const began = Date.now();
  const saysSo = () => child.lastLines().some((line) => line.includes("worker_ready"));
  const isReady = async () => saysSo() || Date.now() - began > SILENT_WORKER_MS;
  await untilReady(child, isReady, timeoutMs);
}

async function untilReady(
  child: Child,
  isReady: () => Promise<boolean>,
  timeoutMs: number,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let ended = false;
  void child.exited.then(() => {
    ended = true;
  });
  while (!(await isReady())) {
    if (ended) throw new StartFailure(child, "ended while it started");
    if (Date.now() > deadline) throw new StartFailure(child, `was not ready in ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** A part that did not come up; the message ends with what it said last. */
export class StartFailure extends Error {
  constructor(child: Child, what: string) {
    super(`${child.name} ${what}. Its last lines:\n${child.lastLines().slice(-30).join("\n")}`);
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}
