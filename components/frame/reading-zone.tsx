"use client";

import { useQueryState } from "nuqs";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { isZone } from "@/lib/domain/zone";
import { READING_COOKIE, type ReadingChoice, readingChoiceOf } from "./reading-choice";

interface ReadingZoneState {
  /** `request`, `utc`, `mine`, or the name of a zone that came with a shared link. */
  readonly choice: ReadingChoice | (string & {});
  readonly myZone: string;
  choose(choice: ReadingChoice): void;
}

const ReadingZoneContext = createContext<ReadingZoneState>({
  choice: "utc",
  myZone: "UTC",
  choose: () => undefined,
});

interface ReadingZoneProviderProps {
  /** What this person chose last, as the cookie says. */
  readonly saved: ReadingChoice;
  readonly myZone: string;
  readonly children: ReactNode;
}

/**
 * The zone in which line 2 of deadlines and all moments are read. Kept per person in a cookie, so that the server
 * renders it, and in the address as `tz=` when it is not UTC, so that a shared link shows the same.
 */
export function ReadingZoneProvider({ saved, myZone, children }: ReadingZoneProviderProps) {
  const [inAddress, setInAddress] = useQueryState("tz", { history: "replace" });
  const [kept, setKept] = useState(saved);
  const choose = useCallback(
    (choice: ReadingChoice) => {
      // biome-ignore lint/suspicious/noDocumentCookie: one of three fixed words, and Cookie Store is missing on plain http.
      document.cookie = `${READING_COOKIE}=${choice}; path=/; max-age=31536000; samesite=lax`;
      setKept(choice);
      void setInAddress(addressOf(choice, myZone));
    },
    [myZone, setInAddress],
  );
  const choice = choiceFrom(inAddress, myZone) ?? kept;
  const state = useMemo(() => ({ choice, myZone, choose }), [choice, myZone, choose]);
  return <ReadingZoneContext value={state}>{children}</ReadingZoneContext>;
}

function addressOf(choice: ReadingChoice, myZone: string): string | null {
  if (choice === "utc") return null;
  return choice === "mine" ? myZone : choice;
}

function choiceFrom(inAddress: string | null, myZone: string): ReadingZoneState["choice"] | null {
  if (inAddress === null) return null;
  if (inAddress === myZone) return "mine";
  if (inAddress === "request") return "request";
  return isZone(inAddress) ? inAddress : readingChoiceOf(undefined);
}

/** The choice and how to change it, for the switch in the header. */
export function useReadingChoice(): ReadingZoneState {
  return useContext(ReadingZoneContext);
}

/** The zone to read in. Give the zone of the request that a row is about; without one "request zone" means UTC. */
export function useReadingZone(requestZone?: string | null): string {
  const { choice, myZone } = useContext(ReadingZoneContext);
  if (choice === "utc") return "UTC";
  if (choice === "mine") return isZone(myZone) ? myZone : "UTC";
  if (choice === "request") return requestZone && isZone(requestZone) ? requestZone : "UTC";
  return choice;
}
