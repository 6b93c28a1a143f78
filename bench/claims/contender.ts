import type { Load } from "./full-path";

/** Something that does the work of a queue, driven at the same load as the others on the same database. */
export interface Contender {
  /** Puts in what one run takes. Not measured. */
  prepare(load: Load): Promise<void>;
  /** Operations or jobs per second, from the claim to the end. Throws when one of them did not get there. */
  run(load: Load): Promise<number>;
  close(): Promise<void>;
}

/** How many operations or jobs one run takes. */
export const amountOf = ({ workers, cycles, batch }: Load): number => workers * cycles * batch;
