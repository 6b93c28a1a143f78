"use client";

import { Button, Group, Select } from "@mantine/core";
import { useEffect, useState } from "react";
import { sendJson } from "@/components/frame/send-json";

interface ZoneSettingProps {
  readonly zone: string;
  readonly zones: readonly string[];
}

/** The zone that "My zone" reads in. The browser's own is offered once, never taken by itself (C-38). */
export function ZoneSetting({ zone, zones }: ZoneSettingProps) {
  const [chosen, setChosen] = useState(zone);
  const [said, setSaid] = useState("");
  const [offered, setOffered] = useState<string | null>(null);
  useEffect(() => {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (own !== zone && zones.includes(own)) setOffered(own);
  }, [zone, zones]);

  async function save(next: string): Promise<void> {
    setChosen(next);
    const answer = await sendJson("PATCH", "/api/v1/me", { zone: next });
    setSaid(answer === null ? `Saved: ${next}.` : answer);
    if (answer === null) setOffered(null);
  }

  return (
    <>
      <Select
        label="Zone"
        description="Used when you choose My zone in the header. Line 1 of a deadline never changes."
        data={[...zones]}
        value={chosen}
        searchable
        allowDeselect={false}
        limit={50}
        onChange={(next) => void (next && save(next))}
      />
      {offered && offered !== chosen ? (
        <Group gap="xs">
          <span>Your browser says {offered}.</span>
          <Button variant="default" size="xs" onClick={() => void save(offered)}>
            Use {offered}
          </Button>
        </Group>
      ) : null}
      <span role="status">{said}</span>
    </>
  );
}
