interface Recorded {
  /** What it is about, in words: `connection sbx-1`, `extend`. */
  readonly about: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What stands in the log of controls. */
export type ControlKind =
  | "paused"
  | "resume_asked"
  | "resumed"
  | "ramp_ended"
  | "mode_changed"
  | "mode_asked"
  | "limits_changed"
  | "policy_saved"
  | "routing_saved"
  | "rota_saved";

/** One entry of the record of controls as a sentence (BL-6, GO-1). */
export function controlSentence(kind: ControlKind, { about, body }: Recorded): string {
  switch (kind) {
    case "paused":
      return `Paused ${about}.`;
    case "resume_asked":
      return `Asked to resume ${about}: ${counted(body.count, "operation")}, ${shown(body.per_minute)} per minute at first.`;
    case "resumed":
      return `Resumed ${about}: ${counted(startOf(body), "operation")} may start.`;
    case "ramp_ended":
      return `The ramp of ${about} ended${body.why === "full_rate" ? " at the full rate" : ""}.`;
    case "mode_changed":
      return `Switched ${about} from ${shown(body.from)} to ${shown(body.to)}.${released(body)}`;
    case "mode_asked":
      return `Asked to switch ${about} from ${shown(body.from)} to ${shown(body.to)}.`;
    case "limits_changed":
      return `Changed limits of ${about}.`;
    case "policy_saved":
      return `Saved the policy for ${about}.`;
    case "routing_saved":
      return `Saved ${about}: ${counted(body.rules, "rule")}, ${shown(body.added)} of them new.`;
    case "rota_saved":
      return `Saved ${about}: ${counted(body.shifts, "shift")}, ${shown(body.added)} of them new.`;
  }
}

function startOf(body: Recorded["body"]): unknown {
  const groups = body.groups as Record<string, unknown> | undefined;
  return groups?.start;
}

function released({ released: count }: Recorded["body"]): string {
  if (typeof count !== "number" || count === 0) return "";
  return ` ${counted(count, "recorded timer")} became operations.`;
}

function counted(value: unknown, noun: string): string {
  return `${shown(value)} ${noun}${value === 1 ? "" : "s"}`;
}

function shown(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "(not recorded)";
}
