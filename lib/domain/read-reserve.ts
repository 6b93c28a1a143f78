/** What a read of the platform is for. Looks and the reads around a call belong to operations. */
export type ReadUse = "operation" | "page" | "sweep";

/**
 * The share of a connection's hourly reads that each use may take in all (PL-7). Pages and sweeps stop earlier, so
 * that reads for operations are left when the budget runs short.
 */
export const READ_SHARE: Readonly<Record<ReadUse, number>> = {
  operation: 1,
  page: 0.9,
  sweep: 0.7,
};
