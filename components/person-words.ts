import { ROLE_LABELS, type Role } from "@/lib/domain/role";

interface PersonFacts {
  readonly role: string | null;
  readonly mark: "person" | "agent" | "worker" | "platform" | "system" | "policy";
  readonly you: boolean;
}

const MARK_WORDS: Record<PersonFacts["mark"], string> = {
  person: "a former member",
  agent: "an agent key",
  worker: "a worker",
  platform: "the platform",
  system: "the system",
  policy: "a policy",
};

/** "you", "an account manager", "an agent key": people appear by role, never by name (PV-4). */
export function personWords(person: PersonFacts): string {
  if (person.you) return "you";
  if (person.mark !== "person" || person.role === null) return MARK_WORDS[person.mark];
  const label = ROLE_LABELS[person.role as Role];
  return `${/^[aeiou]/.test(label) ? "an" : "a"} ${label}`;
}
