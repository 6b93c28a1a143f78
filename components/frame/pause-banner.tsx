"use client";

import { OctagonPause, Timer } from "lucide-react";
import Link from "next/link";
import { formatMoment } from "@/lib/domain/deadline";
import { scopeWords } from "@/lib/domain/switch-scope";
import classes from "./bands.module.css";
import { useFrame } from "./frame-facts";
import { type PulseView, useFreshness } from "./live";
import { useReadingZone } from "./reading-zone";

type Pause = PulseView["pauses"][number];
type Ramp = PulseView["ramps"][number];

/** One red row per active switch, widest scope first, and an amber one per ramp. The pulse brings them in 2 s. */
export function PauseBanner() {
  const { pulse } = useFreshness();
  const { tenant } = useFrame();
  const zone = useReadingZone();
  const controls = `/t/${tenant.slug}/controls`;
  return (
    <>
      {pulse.pauses.length === 0 ? null : (
        <div role="alert" className={classes.pauses}>
          {pulse.pauses.map((pause) => (
            <p key={pause.id}>
              <OctagonPause size={14} aria-hidden />
              <span>
                {sentenceOf(pause, zone)} <Link href={controls}>See what is held</Link>
              </span>
            </p>
          ))}
        </div>
      )}
      {pulse.ramps.length === 0 ? null : (
        <div role="status" className={classes.ramps}>
          {pulse.ramps.map((ramp) => (
            <p key={ramp.id}>
              <Timer size={14} aria-hidden />
              <span>{rampSentence(ramp)}</span>
            </p>
          ))}
        </div>
      )}
    </>
  );
}

function sentenceOf(pause: Pause, zone: string): string {
  const kinds = pause.kind ? `${pause.kind} operations` : "operations";
  const by = pause.by ? `By ${pause.by}, ` : "Since ";
  const scope = scopeWords(pause.scope, pause.connection ?? pause.kind);
  const reason = pause.reason ? ` Reason: ${ended(pause.reason)}` : "";
  return `Paused: ${scope}. No new ${kinds} start. ${by}${formatMoment(pause.since, zone)}.${reason}`;
}

function ended(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function rampSentence({ scope, name, started, total, rate }: Ramp): string {
  return `Resuming ${scopeWords(scope, name)}: ${started} of ${total} started, ${rate} per minute.`;
}
