/** Where an erasure stands; `done` once the history was checked after it. */
export type ErasureState = "asked" | "confirmed" | "done" | "refused";

export const ERASURE_STATE_WORDS: Record<
  ErasureState,
  { readonly label: string; readonly sentence: string }
> = {
  asked: { label: "Asked", sentence: "Another person has to confirm or refuse it." },
  confirmed: {
    label: "Confirmed",
    sentence: "The data are destroyed. The history is being checked.",
  },
  done: { label: "Done", sentence: "The data are destroyed and the history was checked." },
  refused: { label: "Refused", sentence: "Nothing was destroyed." },
};

/** How much an erasure destroys. Counts only: what it was is gone. */
export interface Destroyed {
  /** Keys without which nothing that is sealed for the person opens. */
  readonly keys: number;
  readonly contacts: number;
  /** Titles, messages, reasons and notes of the person's requests, and others that name the person. */
  readonly texts: number;
  /** Raw bodies of events. */
  readonly bodies: number;
}

/** What each count is of: for one, and for any other number. */
export const DESTROYED_WORDS: readonly (readonly [keyof Destroyed, string, string])[] = [
  [
    "keys",
    "key of the person and of the texts of their requests",
    "keys of the person and of the texts of their requests",
  ],
  ["contacts", "set of contact details", "sets of contact details"],
  ["texts", "title, message, reason or note", "titles, messages, reasons and notes"],
  ["bodies", "raw body of an event", "raw bodies of events"],
];

/** What an erasure leaves, and why. */
export const KEPT_WORDS: readonly string[] = [
  "The opaque reference, so that the history goes on saying whom it is about.",
  "Keyed digests, which nobody can guess without the key that was destroyed.",
  "Payload hashes, approvals, reads and every entry of the history, so that chains, seals and packs still verify.",
  "Operation keys, so that none is used twice.",
];

/** The state that is shown, from what is stored and the check that followed. */
export function erasureState(
  stored: "asked" | "confirmed" | "refused",
  check: { readonly state: string } | null,
): ErasureState {
  return stored === "confirmed" && check?.state === "done" ? "done" : stored;
}

/** Everything that a text is searched for, in small letters; empty parts are left out. */
export function traceWords(contacts: readonly { readonly name: string; readonly email: string }[]) {
  const words = contacts.flatMap(({ name, email }) => [name, email]);
  return [...new Set(words.map((word) => word.trim().toLowerCase()).filter((word) => word !== ""))];
}

/** True when a text, or what it says as JSON, holds one of the words. */
export function holdsTrace(text: string, words: readonly string[]): boolean {
  const forms = [text, unescaped(text)].map((form) => form.toLowerCase());
  return words.some((word) => forms.some((form) => form.includes(word)));
}

/** Characters that JSON wrote as \uXXXX are themselves again, also in a text that is no JSON. */
function unescaped(text: string): string {
  return text
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .replaceAll("\\/", "/");
}
