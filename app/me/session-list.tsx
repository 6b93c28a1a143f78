"use client";

import { Button } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { sendJson } from "@/components/frame/send-json";
import classes from "./me.module.css";

interface SessionRow {
  readonly id: string;
  readonly begun: string;
  /** Null for one that was not used in a tenant yet. */
  readonly used: string | null;
  readonly ends: string;
  readonly byProvider: boolean;
  readonly current: boolean;
}

/** Every session that could act in this person's name, each with a way to end it. */
export function SessionList({ rows }: { readonly rows: readonly SessionRow[] }) {
  const router = useRouter();
  const [said, setSaid] = useState("");

  async function end(row: SessionRow): Promise<void> {
    const trouble = await sendJson("DELETE", `/api/v1/me/sessions/${row.id}`);
    setSaid(trouble ?? "Session ended.");
    // Ending the session in use leads to sign-in, because the page asks for a session again.
    router.refresh();
  }

  return (
    <>
      <ul className={classes.sessions}>
        {rows.map((row) => (
          <li key={row.id}>
            <span>
              <span className={classes.mono}>{row.begun}</span>
              <br />
              <span className={classes.dimmed}>
                {row.current ? "this session, " : ""}
                {row.byProvider ? "by the identity provider, " : ""}
                {row.used === null ? "" : `last used ${row.used}, `}ends {row.ends}
              </span>
            </span>
            <Button
              variant="default"
              size="xs"
              aria-label={`End the session begun ${row.begun}`}
              onClick={() => void end(row)}
            >
              End
            </Button>
          </li>
        ))}
      </ul>
      <span role="status">{said}</span>
    </>
  );
}
