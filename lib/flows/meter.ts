import type { OperationKind, OperationState } from "@/lib/domain/operation";

/** What one pass came to. */
export interface PassMove {
  readonly kind: OperationKind;
  readonly from: OperationState;
  readonly to: OperationState;
  readonly reason: string;
  /** Calls of the operation so far, this pass included. */
  readonly attempts: number;
  /** Milliseconds since it became unknown; null for one that never was. */
  readonly unknownForMs: number | null;
}

/**
 * What a worker counts of its own doing (OP-1). Backlogs and ages are read from the database instead. A count may be
 * one ahead of the ledger when a transaction breaks at its very end; nothing is decided by it.
 */
export interface Meter {
  /** A claiming statement took this long and gave these operations, each after waiting so long. Milliseconds. */
  claimed(
    work: "due" | "looks",
    statementMs: number,
    given: readonly { readonly kind: OperationKind; readonly waitedMs: number }[],
  ): void;
  /** A claim gave nothing although something was due. */
  claimedNothing(): void;
  /** A statement changed no row: somebody else was there first. */
  conflict(statement: "claim" | "submit" | "outcome"): void;
  /** A pass ended and its outcome took. */
  passEnded(move: PassMove): void;
}
