"use client";

import { useRef } from "react";
import classes from "@/app/t/[tenant]/controls/controls.module.css";
import { Fact } from "@/components/fact";
import { useLive } from "@/components/frame/live";
import { useReadingZone } from "@/components/frame/reading-zone";
import { ListError } from "@/components/list-states";
import panels from "@/components/panel.module.css";
import { personWords } from "@/components/person-words";
import { formatMoment } from "@/lib/domain/deadline";
import type { ResumePreview } from "@/lib/queries/resume-preview";
import { PreviewGroups } from "./preview-groups";
import { ResumeActions } from "./resume-actions";
import { resumeSentence } from "./resume-sentence";

interface ResumeViewProps {
  readonly tenant: string;
  readonly initial: ResumePreview;
  readonly mayResume: boolean;
}

/** What would happen, who asked for it, and the buttons of the two people. */
export function ResumeView({ tenant, initial, mayResume }: ResumeViewProps) {
  const { pauseId } = initial;
  const live = useLive<ResumePreview>(
    [tenant, "pauses", pauseId],
    `/api/v1/t/${tenant}/pauses/${pauseId}`,
    initial,
  );
  const preview = live.data;
  if (preview.resumedAt !== null) {
    return <Running preview={preview} here={initial.resumedAt === null} />;
  }
  return (
    <div className={classes.page}>
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          The preview could not be read.
        </ListError>
      ) : null}
      <Summary preview={preview} />
      <PreviewGroups tenant={tenant} groups={preview.groups} />
      {mayResume ? (
        <ResumeActions
          key={preview.asked === null ? "ask" : "answer"}
          tenant={tenant}
          preview={preview}
          again={live.again}
        />
      ) : null}
    </div>
  );
}

function Running({ preview, here }: { readonly preview: ResumePreview; readonly here: boolean }) {
  const zone = useReadingZone();
  const { ramp, resumedAt, resumedBy } = preview;
  const took = useRef(here);
  return (
    <Fact takesFocus={took.current}>
      Running again since {formatMoment(resumedAt ?? preview.now, zone)}
      {resumedBy === null ? "" : `, by ${personWords(resumedBy)}`}. {ramp.total} held{" "}
      {ramp.total === 1 ? "operation starts" : "operations start"} within about {ramp.minutes} min.
    </Fact>
  );
}

function Summary({ preview }: { readonly preview: ResumePreview }) {
  const zone = useReadingZone();
  const { scopeWords, pausedAt, pausedBy, seal } = preview;
  return (
    <section className={panels.panel} aria-labelledby="summary">
      <h2 className={panels.heading} id="summary">
        Paused: {scopeWords}
      </h2>
      <p className={classes.reset}>
        By {personWords(pausedBy)}, {formatMoment(pausedAt, zone)}.
      </p>
      <p className={classes.reset}>{resumeSentence(preview)}</p>
      <p className={classes.hash}>
        {seal.count} {seal.count === 1 ? "operation" : "operations"} · preview sha256{" "}
        {seal.hash.slice(0, 4)} {seal.hash.slice(4, 8)} … {seal.hash.slice(-4)}
      </p>
    </section>
  );
}
