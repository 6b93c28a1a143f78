"use client";

import { Checkbox } from "@mantine/core";
import classes from "@/app/t/[tenant]/requests/[ref]/propose/propose.module.css";
import { contactSentence } from "@/components/contact-words";
import type { ContactedSigner } from "@/lib/queries/contact-facts";

interface SignerChoiceProps {
  readonly id: string;
  readonly legend: string;
  readonly signers: readonly ContactedSigner[];
  readonly chosen: readonly ContactedSigner[];
  /** False where the platform contacts everybody who has not signed. */
  readonly single: boolean;
  readonly now: string;
  readonly error: string | null;
  onChange(subjectRefs: readonly string[]): void;
}

/** The signers with the last contact of each and the earliest time of the next (RM-2). */
export function SignerChoice(props: SignerChoiceProps) {
  const { id, legend, signers, chosen, single, now, error, onChange } = props;
  const names = chosen.map(({ subjectRef }) => subjectRef);
  return (
    <Checkbox.Group
      id={id}
      label={legend}
      description={
        single
          ? "Those who have not signed."
          : "This platform contacts everybody who has not signed; nobody can be left out."
      }
      value={names}
      onChange={(subjects) => onChange(subjects)}
      error={error}
    >
      <div className={classes.choices}>
        {signers.map((signer) => (
          <Checkbox
            key={signer.subjectRef}
            value={signer.subjectRef}
            disabled={signer.signed || !single}
            label={`subject ${signer.subjectRef}, ${signer.role}`}
            description={signer.signed ? "Has signed." : contactSentence(signer, now)}
          />
        ))}
      </div>
    </Checkbox.Group>
  );
}
