import type { PackRow } from "@/lib/queries/packs-page";

export const PACK_STATES: Record<PackRow["state"], string> = {
  waiting: "Waits for a worker",
  making: "Being made",
  ready: "Ready",
  failed: "Could not be made",
};

/** A size in kB or MB; a dash before the file is there. */
export function sizeWords(bytes: number | null): string {
  if (bytes === null) return "–";
  return bytes < 1_000_000
    ? `${Math.ceil(bytes / 1000)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
