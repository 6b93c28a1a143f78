import type { ResumePreview } from "@/lib/queries/resume-preview";

/** "Resuming starts 312 operations at 3 per minute, then faster. 4 deadlines passed meanwhile …" */
export function resumeSentence({ groups, ramp }: ResumePreview): string {
  const count = (name: string) => groups.find(({ group }) => group === name)?.count ?? 0;
  const parts: string[] = [];
  const passed = count("deadline_passed");
  if (passed > 0) {
    parts.push(
      `${passed} ${passed === 1 ? "deadline" : "deadlines"} passed meanwhile and wait for a decision`,
    );
  }
  const expired = count("approval_expired");
  if (expired > 0) parts.push(`${expired} ${expired === 1 ? "approval" : "approvals"} expired`);
  const joined = groups.find(({ group }) => group === "joined");
  if (joined && joined.count > 0) {
    parts.push(`${joined.count + (joined.into ?? 0)} missed reminders become ${joined.into}`);
  }
  const total = ramp.total;
  const start = `Resuming starts ${total} ${total === 1 ? "operation" : "operations"} at ${ramp.perMinute} per minute, then faster.`;
  return parts.length === 0 ? start : `${start} ${parts.join("; ")}.`;
}
