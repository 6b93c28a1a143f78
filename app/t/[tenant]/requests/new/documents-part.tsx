"use client";

import { Button, FileButton, TextInput } from "@mantine/core";
import { useState } from "react";
import classes from "./send.module.css";
import type { DocumentDraft } from "./send-draft";

interface DocumentsPartProps {
  readonly documents: readonly DocumentDraft[];
  errorOf(field: string): string | undefined;
  onChange(documents: readonly DocumentDraft[]): void;
  onAdd(): void;
}

/** Documents by digest and version: what counts is the bytes, never a file's name (ID-4). */
export function DocumentsPart({ documents, errorOf, onChange, onAdd }: DocumentsPartProps) {
  const change = (id: string, to: Partial<DocumentDraft>) =>
    onChange(documents.map((one) => (one.id === id ? { ...one, ...to } : one)));
  return (
    <section id="documents" aria-labelledby="documents-heading" className={classes.part}>
      <h2 id="documents-heading">Documents</h2>
      <p>
        A chosen file is hashed in this browser. Neither the file nor its name leaves it with this
        form.
      </p>
      {documents.map((document, place) => (
        <fieldset key={document.id} className={classes.item}>
          <legend>Document {place + 1}</legend>
          <Chosen onDigest={(digest) => change(document.id, { digest })} place={place + 1} />
          <TextInput
            id={`${document.id}-digest`}
            label="SHA-256 digest"
            autoComplete="off"
            spellCheck={false}
            className={classes.wide}
            value={document.digest}
            error={errorOf(`${document.id}-digest`)}
            onChange={(event) => change(document.id, { digest: event.currentTarget.value })}
          />
          <TextInput
            id={`${document.id}-version`}
            label="Version"
            inputMode="numeric"
            className={classes.short}
            value={document.version}
            error={errorOf(`${document.id}-version`)}
            onChange={(event) => change(document.id, { version: event.currentTarget.value })}
          />
          {documents.length > 1 ? (
            <Button
              variant="default"
              onClick={() => onChange(documents.filter(({ id }) => id !== document.id))}
            >
              Leave out document {place + 1}
            </Button>
          ) : null}
        </fieldset>
      ))}
      <Button variant="default" className={classes.add} onClick={onAdd}>
        Add document
      </Button>
    </section>
  );
}

interface ChosenProps {
  readonly place: number;
  onDigest(digest: string): void;
}

function Chosen({ place, onDigest }: ChosenProps) {
  const [said, setSaid] = useState("");
  const take = async (file: File | null) => {
    if (file === null) return;
    const digest = await digestOf(file);
    if (digest === null) return setSaid("This browser hashes files over a secure address only.");
    setSaid(`${file.size} bytes hashed.`);
    onDigest(digest);
  };
  return (
    <>
      <FileButton onChange={(file) => void take(file)}>
        {(props) => (
          <Button {...props} variant="default">
            Choose file of document {place}
          </Button>
        )}
      </FileButton>
      <output>{said}</output>
    </>
  );
}

/** SHA-256 of the file's bytes in hex; null where the browser offers none on a plain http address. */
async function digestOf(file: File): Promise<string | null> {
  const subtle = (crypto as Partial<Crypto>).subtle;
  if (subtle === undefined) return null;
  const hash = await subtle.digest("SHA-256", await file.arrayBuffer());
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
