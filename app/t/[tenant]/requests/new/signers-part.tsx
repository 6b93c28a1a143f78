"use client";

import { Button, Radio, TextInput } from "@mantine/core";
import classes from "./send.module.css";
import type { SendDraft, SignerDraft } from "./send-draft";

interface SignersPartProps {
  readonly signers: readonly SignerDraft[];
  readonly routing: SendDraft["routing"];
  errorOf(field: string): string | undefined;
  onChange(change: Partial<Pick<SendDraft, "signers" | "routing">>): void;
  onAdd(): void;
}

/** Who signs, in which role and order. Names and addresses go into the vault and nowhere else (PV-3). */
export function SignersPart({ signers, routing, errorOf, onChange, onAdd }: SignersPartProps) {
  const change = (id: string, to: Partial<SignerDraft>) =>
    onChange({ signers: signers.map((one) => (one.id === id ? { ...one, ...to } : one)) });
  return (
    <section id="signers" aria-labelledby="signers-heading" className={classes.part}>
      <h2 id="signers-heading">Signers</h2>
      <Radio.Group
        label="Order of signing"
        value={routing}
        onChange={(value) => onChange({ routing: value as SendDraft["routing"] })}
      >
        <div className={classes.line}>
          <Radio value="parallel" label="all at once" />
          <Radio value="sequential" label="one after the other" />
        </div>
      </Radio.Group>
      {signers.map((signer, place) => (
        <fieldset key={signer.id} className={classes.item}>
          <legend>Signer {place + 1}</legend>
          <Who signer={signer} errorOf={errorOf} change={(to) => change(signer.id, to)} />
          <TextInput
            id={`${signer.id}-role`}
            label="Role"
            value={signer.role}
            error={errorOf(`${signer.id}-role`)}
            onChange={(event) => change(signer.id, { role: event.currentTarget.value })}
          />
          <TextInput
            id={`${signer.id}-order`}
            label="Order"
            inputMode="numeric"
            className={classes.short}
            value={signer.order}
            error={errorOf(`${signer.id}-order`)}
            onChange={(event) => change(signer.id, { order: event.currentTarget.value })}
          />
          {signers.length > 1 ? (
            <Button
              variant="default"
              onClick={() => onChange({ signers: signers.filter(({ id }) => id !== signer.id) })}
            >
              Leave out signer {place + 1}
            </Button>
          ) : null}
        </fieldset>
      ))}
      <Button variant="default" className={classes.add} onClick={onAdd}>
        Add signer
      </Button>
    </section>
  );
}

interface WhoProps {
  readonly signer: SignerDraft;
  errorOf(field: string): string | undefined;
  change(to: Partial<SignerDraft>): void;
}

function Who({ signer, errorOf, change }: WhoProps) {
  const { id, known, subjectRef, name, email } = signer;
  return (
    <>
      <Radio.Group
        aria-label="Who it is"
        value={known ? "known" : "new"}
        onChange={(value) => change({ known: value === "known" })}
      >
        <div className={classes.line}>
          <Radio value="new" label="new person" />
          <Radio value="known" label="by subject reference" />
        </div>
      </Radio.Group>
      {known ? (
        <TextInput
          id={`${id}-subject`}
          label="Subject reference"
          autoComplete="off"
          value={subjectRef}
          error={errorOf(`${id}-subject`)}
          onChange={(event) => change({ subjectRef: event.currentTarget.value })}
        />
      ) : (
        <>
          <TextInput
            id={`${id}-name`}
            label="Name"
            autoComplete="off"
            value={name}
            error={errorOf(`${id}-name`)}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <TextInput
            id={`${id}-email`}
            label="E-mail address"
            inputMode="email"
            autoComplete="off"
            value={email}
            error={errorOf(`${id}-email`)}
            onChange={(event) => change({ email: event.currentTarget.value })}
          />
        </>
      )}
    </>
  );
}
