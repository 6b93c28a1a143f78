import type { CapabilityDescriptor } from "./capability";
import { judgeAfterCall } from "./judge-after-call";
import { judgeBeforeCall } from "./judge-before-call";
import { judgeLook } from "./judge-look";
import type { Observation } from "./observation";
import type { JudgedOperation, Phase, Verdict } from "./verdict";

/**
 * The one place that decides what a read means (PL-5, PL-6, RC-2, RC-3). Pure: the same operation, phase,
 * observation and descriptor always give the same verdict.
 */
export function judge(
  operation: JudgedOperation,
  phase: Phase,
  observation: Observation,
  descriptor: CapabilityDescriptor,
): Verdict {
  switch (phase.kind) {
    case "before":
      return judgeBeforeCall(operation, observation, descriptor);
    case "after":
      return judgeAfterCall(operation, phase.outcome, observation, descriptor);
    case "look":
      return judgeLook(operation, phase, observation, descriptor);
  }
}
