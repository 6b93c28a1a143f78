"use client";

import { Button } from "@mantine/core";
import { OctagonPause } from "lucide-react";
import { usePauseDialog } from "@/components/frame/pause-dialog";

/** Opens the pause dialog; absent for a role that may not pause. */
export function PauseButton() {
  const open = usePauseDialog();
  if (open === null) return null;
  return (
    <Button color="red.8" leftSection={<OctagonPause size={16} aria-hidden />} onClick={open}>
      Pause…
    </Button>
  );
}
