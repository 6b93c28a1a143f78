"use client";

import { useEffect, useRef, useState } from "react";

interface KeptDraft<Draft> {
  readonly draft: Draft;
  change(change: Partial<Draft>): void;
  /** Once it was sent for good: the next form begins anew. */
  forget(): void;
}

/**
 * What was typed, kept for this tab, so that a sign-in in between or a reload loses nothing. Only for text that may
 * stand in the history: no contact details.
 */
export function useKeptDraft<Draft extends object>(name: string, first: Draft): KeptDraft<Draft> {
  const [draft, setDraft] = useState(first);
  const restored = useRef(false);
  const begun = useRef(draft);
  const forgotten = useRef(false);
  useEffect(() => {
    const kept = sessionStorage.getItem(name);
    if (kept !== null && !restored.current) {
      setDraft({ ...begun.current, ...(JSON.parse(kept) as Partial<Draft>) });
    }
    restored.current = true;
  }, [name]);
  useEffect(() => {
    if (restored.current && !forgotten.current && draft !== begun.current) {
      sessionStorage.setItem(name, JSON.stringify(draft));
    }
  }, [name, draft]);
  return {
    draft,
    change: (change) => {
      forgotten.current = false;
      setDraft((before) => ({ ...before, ...change }));
    },
    forget: () => {
      forgotten.current = true;
      sessionStorage.removeItem(name);
    },
  };
}
