"use client";

import type { ReactNode } from "react";
import { EnvironmentBand } from "./environment-band";
import classes from "./frame.module.css";
import { type FrameFacts, FrameFactsProvider } from "./frame-facts";
import { LostNotice } from "./freshness-mark";
import { Header } from "./header";
import { LiveProvider, type PulseView, useFreshness } from "./live";
import { Navigation } from "./navigation";
import { Palette } from "./palette";
import { PauseBanner } from "./pause-banner";
import { PauseDialogProvider } from "./pause-dialog";
import type { ReadingChoice } from "./reading-choice";
import { ReadingZoneProvider } from "./reading-zone";
import { Shortcuts } from "./shortcuts";
import { SkipLink } from "./skip-link";

interface FrameProps {
  readonly facts: FrameFacts;
  readonly pulse: PulseView;
  readonly reading: ReadingChoice;
  readonly children: ReactNode;
}

/** What surrounds every page of a tenant (screens 1.3). */
export function Frame({ facts, pulse, reading, children }: FrameProps) {
  return (
    <FrameFactsProvider facts={facts}>
      <LiveProvider tenantSlug={facts.tenant.slug} initial={pulse}>
        <ReadingZoneProvider saved={reading} myZone={facts.account.zone}>
          <PauseDialogProvider>
            <SkipLink />
            <header>
              <Band />
              <PauseBanner />
              <Header />
            </header>
            <div className={classes.columns}>
              <Navigation />
              <main id="content" tabIndex={-1} className={classes.content}>
                <LostNotice />
                {children}
              </main>
            </div>
            <Palette />
            <Shortcuts />
          </PauseDialogProvider>
        </ReadingZoneProvider>
      </LiveProvider>
    </FrameFactsProvider>
  );
}

function Band() {
  const { counts, modes } = useFreshness().pulse;
  return <EnvironmentBand live={counts.live} modes={modes} />;
}
