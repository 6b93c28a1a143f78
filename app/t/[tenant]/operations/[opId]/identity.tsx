"use client";

import { CopyButton, UnstyledButton } from "@mantine/core";
import { Check, Copy } from "lucide-react";
import Link from "next/link";
import { Hash } from "@/components/hash";
import panel from "@/components/panel.module.css";
import type { OperationPage } from "@/lib/queries/operation-page";
import classes from "./operation.module.css";

interface IdentityProps {
  readonly tenant: string;
  readonly page: OperationPage;
}

/** By what one knows it again: ids, key, hash and the numbers of its attempts. */
export function Identity({ tenant, page }: IdentityProps) {
  const { operation, connection, payload } = page;
  const path = `/t/${tenant}`;
  return (
    <section className={panel.panel} aria-labelledby="identity">
      <h2 id="identity" className={panel.heading}>
        Identity
      </h2>
      <dl className={panel.pairs}>
        <dt>op_id</dt>
        <dd>
          <CopyText value={operation.opId} name="operation id" />
        </dd>
        <dt>key</dt>
        <dd>
          <CopyText value={operation.opKey} name="operation key" />
        </dd>
        <dt>hash</dt>
        <dd>
          <Hash value={operation.payloadHash} kind="payload" expected={payload.recomputed} />
        </dd>
        <dt>request</dt>
        <dd>
          <Link href={`${path}/requests/${operation.requestRef}`}>{operation.requestRef}</Link> on{" "}
          {connection.name}
        </dd>
        <dt>attempts</dt>
        <dd>
          {operation.attempts} of {operation.attemptsMax} · fence {operation.fence} · version{" "}
          {operation.version}
        </dd>
        {operation.platformRef === null ? null : (
          <>
            <dt>platform</dt>
            <dd className={panel.mono}>{operation.platformRef}</dd>
          </>
        )}
        <Related path={path} label="replaces" opId={operation.supersedesOpId} />
        <Related path={path} label="replaced by" opId={operation.successorOpId} />
      </dl>
    </section>
  );
}

interface RelatedProps {
  readonly path: string;
  readonly label: string;
  readonly opId: string | null;
}

function Related({ path, label, opId }: RelatedProps) {
  if (opId === null) return null;
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <Link href={`${path}/operations/${opId}`}>op {opId.slice(0, 8)}</Link>
      </dd>
    </>
  );
}

function CopyText({ value, name }: { readonly value: string; readonly name: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <UnstyledButton className={classes.copy ?? ""} onClick={copy} title={`Copy the ${name}`}>
          <span className={panel.hidden}>Copy the {name} </span>
          {value} {copied ? <Check size={12} aria-hidden /> : <Copy size={12} aria-hidden />}
        </UnstyledButton>
      )}
    </CopyButton>
  );
}
