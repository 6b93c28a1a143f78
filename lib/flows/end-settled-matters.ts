import { endSettledMatters as end } from "@/lib/store/notices";
import type { WorkerContext } from "./worker-context";

const ENDED_AT_ONCE = 200;

/** Closes matters of which nothing is open any more; what was not sent of them is not sent. Returns how many. */
export function endSettledMatters({ owner }: WorkerContext): Promise<number> {
  return end(owner, ENDED_AT_ONCE);
}
