import { createHash } from "node:crypto";
import { z } from "zod";
import { canonicalText, sha256Hex } from "@/lib/domain/canonical";
import { newSubjectRef } from "@/lib/domain/identity";
import { invariant } from "@/lib/domain/invariant";
import type { Db, Tx } from "@/lib/store/db";
import { keyedDigest, newVaultKey, seal, unseal } from "./vault-cipher";
import { cipherKeyPlace, digestKeyPlace, entryPlace } from "./vault-places";
import {
  entryById,
  insertEntry,
  insertSubject,
  newestContact,
  recordVaultRead,
  recordVaultReadOnce,
  type SealedEntry,
  type SealedKeys,
  sealedSubjectKeys,
  type VaultKind,
} from "./vault-rows";

/** Whose vault is meant and the installation's key that seals the keys of its subjects (PV-3). */
export interface VaultScope {
  readonly tenantId: string;
  readonly vaultKey: Buffer;
}

/** Contact details in the clear; they exist in memory only. */
export interface Contact {
  readonly name: string;
  readonly email: string;
}

/** Where a sealed entry stands and the keyed digest that an approval is bound to (ID-5). */
export interface VaultEntryRef {
  readonly ref: string;
  readonly digest: string;
}

const ContactSchema = z.object({ name: z.string(), email: z.string() });

/** The two keys of a subject in the clear; they exist in memory only. */
interface SubjectKeys {
  readonly cipherKey: Buffer;
  readonly digestKey: Buffer;
}

/**
 * The subject that holds a request's texts (reason, title, message). It is derived from our own reference, so that
 * the same proposal posted twice at once meets the same subject.
 */
export function textSubjectOf(tenantId: string, requestRef: string): string {
  return `t_${sha256Hex(`text subject\n${tenantId}\n${requestRef}`).slice(0, 32)}`;
}

/**
 * A signer's subject in a proposed send: derived from the random approval id and the place in the list, so that a
 * repeated post names the same people, and from no contact detail (ID-1).
 */
export function signerSubjectOf(tenantId: string, approvalId: string, place: number): string {
  const source = `signer subject\n${tenantId}\n${approvalId}\n${place}`;
  return newSubjectRef(createHash("sha256").update(source).digest().subarray(0, 20));
}

/** Stores contact details for a subject, making it when needed; returns the keyed digest. Throws when erased. */
export async function storeContact(
  tx: Tx,
  scope: VaultScope,
  subjectRef: string,
  contact: Contact,
): Promise<VaultEntryRef> {
  return storeEntry(tx, scope, subjectRef, "contact", contactText(contact));
}

/** Stores a text that a person typed (SM-3, ID-5) for a subject, making it when needed. Throws when erased. */
export async function storeText(
  tx: Tx,
  scope: VaultScope,
  subjectRef: string,
  text: string,
): Promise<VaultEntryRef> {
  return storeEntry(tx, scope, subjectRef, "text", text);
}

/** The keyed digest of contact details under the subject's digest key (ID-5); null when unknown or erased. */
export async function contactDigest(
  db: Db,
  scope: VaultScope,
  subjectRef: string,
  contact: Contact,
): Promise<string | null> {
  const keys = await subjectKeys(db, scope, subjectRef);
  return keys && keyedDigest(keys.digestKey, "contact", contactText(contact));
}

/**
 * The keyed digest of a subject's newest contact details, without reading them; null when there are none. Binds a
 * payload to what the vault holds now (ID-5).
 */
export async function presentContactDigest(
  db: Db,
  tenantId: string,
  subjectRef: string,
): Promise<string | null> {
  const keys = await sealedSubjectKeys(db, tenantId, subjectRef);
  const entry = keys && (await newestContact(db, tenantId, subjectRef));
  return entry?.digest ?? null;
}

export interface ResolvedContact {
  readonly contact: Contact;
  /** Computed now from what was read, never copied from the row: ID-5 compares it with the approved one. */
  readonly digest: string;
}

/**
 * The newest contact details of a subject, with the reading recorded in the same transaction (PV-3). `purpose` is
 * a code, or a reference to the vault entry of a typed reason. Null when there are none or they were erased.
 */
export async function resolveContact(
  tx: Tx,
  scope: VaultScope,
  subjectRef: string,
  purpose: string,
  actor: string,
): Promise<ResolvedContact | null> {
  const found = await newestContact(tx, scope.tenantId, subjectRef);
  const opened = found && (await openEntry(tx, scope, found, purpose, actor));
  if (!opened) return null;
  const contact = ContactSchema.parse(JSON.parse(opened.text));
  return { contact, digest: opened.digest };
}

export interface ResolvedText {
  readonly text: string;
  /** Computed now from what was read (ID-5). */
  readonly digest: string;
}

/** The text of one entry, with the reading recorded (PV-3). Null when there is none or it was erased. */
export async function resolveText(
  tx: Tx,
  scope: VaultScope,
  entryRef: string,
  purpose: string,
  actor: string,
): Promise<ResolvedText | null> {
  const found = await entryById(tx, scope.tenantId, entryRef);
  return found && openEntry(tx, scope, found, purpose, actor);
}

/**
 * The same for a page that shows the text and asks again every few seconds: the reading is recorded once an hour for
 * this person and purpose (PV-3).
 */
export async function resolveShownText(
  tx: Tx,
  scope: VaultScope,
  entryRef: string,
  purpose: string,
  actor: string,
): Promise<ResolvedText | null> {
  const found = await entryById(tx, scope.tenantId, entryRef);
  return found && openEntry(tx, scope, found, purpose, actor, recordVaultReadOnce);
}

async function storeEntry(
  tx: Tx,
  scope: VaultScope,
  subjectRef: string,
  kind: VaultKind,
  text: string,
): Promise<VaultEntryRef> {
  const keys =
    (await subjectKeys(tx, scope, subjectRef)) ?? (await makeSubject(tx, scope, subjectRef));
  const digest = keyedDigest(keys.digestKey, kind, text);
  // From the keyed digest, so that the same text posted again names the same entry and no payload changes by it.
  const ref = uuidFrom(sha256Hex(`vault entry\n${subjectRef}\n${digest}`));
  const place = entryPlace(scope.tenantId, subjectRef, ref);
  const ciphertext = seal(keys.cipherKey, text, place);
  await insertEntry(tx, {
    tenantId: scope.tenantId,
    id: ref,
    subjectRef,
    kind,
    ciphertext,
    digest,
  });
  return { ref, digest };
}

async function openEntry(
  tx: Tx,
  scope: VaultScope,
  entry: SealedEntry,
  purpose: string,
  actor: string,
  record = recordVaultRead,
): Promise<ResolvedText | null> {
  const { tenantId } = scope;
  const { subjectRef, id, kind, ciphertext } = entry;
  // Emptied by an erasure, or when its time was over.
  if (ciphertext === "") return null;
  const keys = await subjectKeys(tx, scope, subjectRef);
  if (!keys) return null;
  await record(tx, { tenantId, subjectRef, purpose, actor });
  const text = unseal(keys.cipherKey, ciphertext, entryPlace(tenantId, subjectRef, id)).toString();
  return { text, digest: keyedDigest(keys.digestKey, kind, text) };
}

/** Of two callers at once one makes the subject; the other waits for it and opens the keys that the first made. */
async function makeSubject(tx: Tx, scope: VaultScope, subjectRef: string): Promise<SubjectKeys> {
  await insertSubject(tx, scope.tenantId, subjectRef, freshKeys(scope, subjectRef));
  const keys = await subjectKeys(tx, scope, subjectRef);
  invariant(keys, "nothing is stored for a subject whose data were erased");
  return keys;
}

/** Two new keys for a subject, sealed for their places. */
export function freshKeys({ tenantId, vaultKey }: VaultScope, subjectRef: string): SealedKeys {
  return {
    cipherKeySealed: seal(vaultKey, newVaultKey(), cipherKeyPlace(tenantId, subjectRef)),
    digestKeySealed: seal(vaultKey, newVaultKey(), digestKeyPlace(tenantId, subjectRef)),
  };
}

async function subjectKeys(
  db: Db,
  { tenantId, vaultKey }: VaultScope,
  subjectRef: string,
): Promise<SubjectKeys | null> {
  const sealed = await sealedSubjectKeys(db, tenantId, subjectRef);
  return (
    sealed && {
      cipherKey: unseal(vaultKey, sealed.cipherKeySealed, cipherKeyPlace(tenantId, subjectRef)),
      digestKey: unseal(vaultKey, sealed.digestKeySealed, digestKeyPlace(tenantId, subjectRef)),
    }
  );
}

function contactText({ name, email }: Contact): string {
  return canonicalText({ name, email });
}

/** Version 8 of RFC 9562: a UUID whose bits are the maker's own. */
function uuidFrom(hex: string): string {
  const bits = `${hex.slice(0, 12)}8${hex.slice(13, 16)}8${hex.slice(17, 32)}`;
  return bits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
