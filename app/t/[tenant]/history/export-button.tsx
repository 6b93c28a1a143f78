"use client";

import { Button, SegmentedControl, Stack } from "@mantine/core";
import { useState } from "react";
import type { ApiProblem } from "@/components/api-call";
import { ConfirmConsequence } from "@/components/confirm-consequence";
import { type Address, FILTERS } from "./address";

type Format = "csv" | "jsonl";

interface ExportButtonProps {
  readonly tenant: string;
  readonly address: Address;
  readonly count: number;
  readonly more: boolean;
}

/** Takes the filtered entries away as a file; that is an entry of the history itself. */
export function ExportButton({ tenant, address, count, more }: ExportButtonProps) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [format, setFormat] = useState<Format>("csv");
  const [said, setSaid] = useState("");

  async function take(): Promise<void> {
    setBusy(true);
    setSaid(await download(tenant, format, address));
    setBusy(false);
    setAsking(false);
  }

  return (
    <>
      <Button size="xs" variant="default" onClick={() => setAsking(true)}>
        Export…
      </Button>
      <span role="status">{said}</span>
      <ConfirmConsequence
        opened={asking}
        onClose={() => setAsking(false)}
        question={`Export ${more ? "more than " : ""}${count} entries?`}
        action="Export"
        keep="Do not export"
        busy={busy}
        onConfirm={() => void take()}
      >
        <Stack gap="sm">
          <p>People appear as references. This export becomes an entry of the history.</p>
          <SegmentedControl
            aria-label="Format"
            value={format}
            onChange={(value) => setFormat(value as Format)}
            data={[
              { value: "csv", label: "CSV" },
              { value: "jsonl", label: "JSON lines" },
            ]}
          />
        </Stack>
      </ConfirmConsequence>
    </>
  );
}

/** What to say afterwards. */
async function download(tenant: string, format: Format, address: Address): Promise<string> {
  try {
    const response = await fetch(`/api/v1/t/${tenant}/history/exports`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ format, filter: filterOf(address) }),
    });
    if (!response.ok) return ((await response.json()) as ApiProblem).detail;
    const url = URL.createObjectURL(await response.blob());
    const link = document.createElement("a");
    link.href = url;
    link.download = `history.${format}`;
    link.click();
    URL.revokeObjectURL(url);
    return "Exported.";
  } catch {
    // The entry may be written although the file did not arrive; asking again writes another one.
    return "The file did not arrive. Export again.";
  }
}

/** The filters of the address in the form of an export; a day begins at midnight UTC. */
function filterOf(address: Address): Record<string, string> {
  return Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = address[name];
      if (value === undefined) return [];
      const isDay = (name === "from" || name === "to") && /^\d{4}-\d\d-\d\d$/.test(value);
      return [[name, isDay ? `${value}T00:00:00Z` : value]];
    }),
  );
}
