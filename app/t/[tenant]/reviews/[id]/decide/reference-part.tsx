"use client";

import { Checkbox, Radio, TextInput } from "@mantine/core";
import panel from "@/components/panel.module.css";
import { TimeWithZone } from "@/components/time-with-zone";
import type { DecisionOption } from "@/lib/domain/decision";
import { REQUEST_WORDS, type RequestWordCode } from "@/lib/domain/words";
import type { PlatformMatch, ReviewItemPage } from "@/lib/queries/review-item-page";
import classes from "./decide.module.css";
import type { DecideDraft } from "./decide-draft";

interface ReferencePartProps {
  readonly tenant: string;
  readonly page: ReviewItemPage;
  readonly option: DecisionOption | null;
  readonly draft: DecideDraft;
  readonly change: (change: Partial<DecideDraft>) => void;
}

/** The platform's reference that some decisions are about: one of several matches, or one that was found by hand. */
export function ReferencePart({ page, option, draft, change }: ReferencePartProps) {
  if (option?.reference === "choose") {
    return <Matches matches={page.matches} draft={draft} change={change} />;
  }
  if (option?.reference !== "enter") return null;
  return (
    <div className={classes.page}>
      <p className={classes.plain}>
        Only a person can find out whether it was sent. {page.lookFor} Automatic resend is off for
        this connection.
      </p>
      <TextInput
        id="platform-reference"
        label="I found it: the platform's reference"
        description="We read it and compare it with what was approved."
        autoComplete="off"
        spellCheck={false}
        value={draft.kept}
        onChange={(event) => change({ kept: event.currentTarget.value })}
      />
    </div>
  );
}

interface MatchesProps {
  readonly matches: readonly PlatformMatch[];
  readonly draft: DecideDraft;
  readonly change: (change: Partial<DecideDraft>) => void;
}

/** Possible duplicate (screens 4.7): which one stays, and what is proposed for each of the others. */
function Matches({ matches, draft, change }: MatchesProps) {
  const others = matches.filter(({ platformRef }) => platformRef !== draft.kept);
  return (
    <div className={classes.page}>
      <p className={classes.plain}>
        At least one signer may have been asked twice. Choose the one to keep. For each other one a
        void is proposed; it needs its own approval and is not done by this step.
      </p>
      <Radio.Group
        id="keep"
        aria-label="Keep"
        value={draft.kept}
        onChange={(kept) => change({ kept, voidsTyped: [] })}
      >
        <div className={panel.scroll}>
          <table className={panel.table}>
            <caption>Requests at the platform with this reference</caption>
            <thead>
              <tr>
                <th scope="col">Keep</th>
                <th scope="col">Reference</th>
                <th scope="col">Created</th>
                <th scope="col">Status</th>
                <th scope="col">Signed</th>
              </tr>
            </thead>
            <tbody>
              {matches.map((match) => (
                <Match key={match.platformRef} match={match} />
              ))}
            </tbody>
          </table>
        </div>
      </Radio.Group>
      {draft.kept === ""
        ? null
        : others
            .filter(({ signed }) => signed > 0)
            .map(({ platformRef }) => (
              <SignedVoid
                key={platformRef}
                platformRef={platformRef}
                draft={draft}
                change={change}
              />
            ))}
    </div>
  );
}

function Match({ match }: { readonly match: PlatformMatch }) {
  const { platformRef, createdAt, status, signed, signers } = match;
  const known = Object.hasOwn(REQUEST_WORDS, status);
  return (
    <tr>
      <td>
        <Radio value={platformRef} aria-label={`Keep ${platformRef}`} />
      </td>
      <th scope="row" className={panel.mono}>
        {platformRef}
      </th>
      <td>
        {createdAt === null ? "not given" : <TimeWithZone instant={createdAt} kind="moment" />}
      </td>
      <td>{known ? REQUEST_WORDS[status as RequestWordCode].label : status}</td>
      <td>
        {signed} of {signers}
        {signed > 0 ? ", has a signature" : ""}
      </td>
    </tr>
  );
}

interface SignedVoidProps extends Pick<MatchesProps, "draft" | "change"> {
  readonly platformRef: string;
}

/** What carries a signature is only proposed for voiding when its reference was typed. */
function SignedVoid({ platformRef, draft, change }: SignedVoidProps) {
  const typed = draft.voidsTyped.includes(platformRef);
  return (
    <div>
      <TextInput
        label={`Type ${platformRef} to propose its void although it has a signature`}
        autoComplete="off"
        spellCheck={false}
        defaultValue={typed ? platformRef : ""}
        onChange={(event) => {
          const rest = draft.voidsTyped.filter((one) => one !== platformRef);
          const now = event.currentTarget.value.trim() === platformRef;
          change({ voidsTyped: now ? [...rest, platformRef] : rest });
        }}
      />
      <Checkbox
        checked={typed}
        readOnly
        tabIndex={-1}
        label={typed ? "its void is proposed" : "it stays as it is"}
      />
    </div>
  );
}
