import { connect } from "node:net";
import type { Child } from "./child";

const POLL_MS = 100;

/**
 * Waits until something answers on a port. Throws with the child's last lines when it ends first, or when
 * the time is over.
 */
export async function untilListening(child: Child, port: number, timeoutMs: number): Promise<void> {
  await untilReady(child, () => answers(port), timeoutMs);
}

/** Waits until a line of output matches. Throws as `untilListening` does. */
export async function untilLine(child: Child, line: RegExp, timeoutMs: number): Promise<void> {
  await untilReady(child, async () => child.lastLines().some((each) => line.test(each)), timeoutMs);
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
