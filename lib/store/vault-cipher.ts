import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";

/** Bytes of every key here: AES-256 and HMAC-SHA-256. */
export const VAULT_KEY_BYTES = 32;

/** The nonce length for which GCM is specified; random per sealing, so a key seals far fewer than 2^32 texts. */
const NONCE_BYTES = 12;

const VERSION = "v1";

/** What is wrong with a sealed text. The message names no content and no key. */
export class VaultError extends Error {
  readonly code: "malformed" | "other_key" | "not_authentic" | "key_unusable";

  constructor(code: VaultError["code"]) {
    super(`the vault could not open a sealed value: ${code}`);
    this.name = "VaultError";
    this.code = code;
  }
}

/**
 * Names a key without giving anything of it away: 16 hexadecimal digits that stand in everything sealed by it, so
 * that a rotation of the installation's key can tell what still has to be sealed anew (PV-3).
 */
export function vaultKeyId(key: Buffer): string {
  const known = keyIds.get(key);
  if (known !== undefined) return known;
  const id = createHash("sha256")
    .update("deadline-ledger vault key id\n")
    .update(key)
    .digest("hex")
    .slice(0, 16);
  keyIds.set(key, id);
  return id;
}

/** Worked out once per key in memory: every sealing names its key. */
const keyIds = new WeakMap<Buffer, string>();

/** The keys before it, by the key that is in use. */
const olderKeys = new WeakMap<Buffer, readonly Buffer[]>();

/**
 * Lets whatever these older keys sealed be opened with the key in use as well, while the installation's key is being
 * replaced (PV-3). Nothing is sealed by them any more. Returns the key in use.
 */
export function withOlderKeys(key: Buffer, older: readonly Buffer[]): Buffer {
  olderKeys.set(key, older);
  return key;
}

/** The key in use and those before it, newest first. */
export function keysOf(key: Buffer): readonly Buffer[] {
  return [key, ...(olderKeys.get(key) ?? [])];
}

/** A fresh key for one subject. */
export function newVaultKey(): Buffer {
  return randomBytes(VAULT_KEY_BYTES);
}

/** Binds a sealed value to its place, so that it cannot be moved to another table, tenant or subject unnoticed. */
export function placeOf(table: string, tenantId: string, ...parts: readonly string[]): string {
  return JSON.stringify([table, tenantId, ...parts]);
}

/**
 * Seals a text with AES-256-GCM as `v1.<key id>.<nonce>.<ciphertext and tag>` (PV-3). `place` is authenticated and
 * must be given again to open it. Throws VaultError for a key of another length than 32 bytes.
 */
export function seal(key: Buffer, plaintext: string | Buffer, place: string): string {
  if (key.length !== VAULT_KEY_BYTES) throw new VaultError("key_unusable");
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(place, "utf8"));
  const body = Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  return [VERSION, vaultKeyId(key), nonce.toString("base64url"), body.toString("base64url")].join(
    ".",
  );
}

/** Opens what `seal` made at the same place, by this key or one before it. Throws VaultError; it never returns bytes that are not authentic. */
export function unseal(key: Buffer, sealed: string, place: string): Buffer {
  const [version, keyId, nonce, body, ...rest] = sealed.split(".");
  if (version !== VERSION || !keyId || !nonce || !body || rest.length > 0) {
    throw new VaultError("malformed");
  }
  const opening = keysOf(key).find((one) => vaultKeyId(one) === keyId);
  if (opening === undefined) throw new VaultError("other_key");
  const bytes = Buffer.from(body, "base64url");
  if (bytes.length < TAG_BYTES) throw new VaultError("malformed");
  const tag = bytes.subarray(bytes.length - TAG_BYTES);
  try {
    const decipher = createDecipheriv("aes-256-gcm", opening, Buffer.from(nonce, "base64url"), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(place, "utf8")).setAuthTag(tag);
    return Buffer.concat([
      decipher.update(bytes.subarray(0, bytes.length - TAG_BYTES)),
      decipher.final(),
    ]);
  } catch {
    // The library's own message differs by cause; which one it was helps nobody but an attacker.
    throw new VaultError("not_authentic");
  }
}

const TAG_BYTES = 16;

/** The id of the key that sealed a value; null when it is none of ours. */
export function sealedBy(sealed: string): string | null {
  const [version, keyId] = sealed.split(".");
  return version === VERSION && keyId ? keyId : null;
}

/**
 * The keyed digest of an approved text (ID-5): HMAC-SHA-256 with the subject's own digest key, 64 hexadecimal
 * digits. `purpose` keeps digests of different things apart although the key is one.
 */
export function keyedDigest(digestKey: Buffer, purpose: string, text: string): string {
  return createHmac("sha256", digestKey).update(`${purpose}\n`).update(text, "utf8").digest("hex");
}
