import type { ReasonOwner } from "./reason-words";

/** The people around an operation, as owner strings (`account:<uuid>`); null where there is none. */
export interface OwnerFacts {
  readonly proposer: string | null;
  readonly approver: string | null;
  readonly requestOwner: string | null;
  readonly connectionOwner: string;
}

/** Who decides when nobody else is named: never empty (RV-1). */
const FALLBACK = "team:on-call";

/** The owner of a review item by its reason's default route (RV-1). Always a person or a team. */
export function ownerFor(role: ReasonOwner, facts: OwnerFacts): string {
  switch (role) {
    case "proposer":
      return facts.proposer ?? FALLBACK;
    case "approver":
      return facts.approver ?? facts.requestOwner ?? "team:account-managers";
    case "request":
    case "batch":
    case "signatory":
      return facts.requestOwner ?? facts.proposer ?? "team:account-managers";
    case "connection":
      return facts.connectionOwner || "team:admins";
    case "compliance":
      return "team:compliance";
    case "oncall":
    case "none":
      return FALLBACK;
  }
}
