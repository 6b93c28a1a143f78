#!/usr/bin/env node
// Checks an evidence pack of Deadline Ledger. Needs this file, the pack and Node 20 or later; no network, no packages.
//
//   node verify.mjs pack.zip
//
// Prints what was checked and every difference in plain words. Ends with 0 when all fits, with 1 when anything does
// not, with 2 when the file is no pack. docs/evidence-pack.md describes the format for those who write their own.

import { createHash, createVerify, X509Certificate } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createInflateRaw } from "node:zlib";

const FORMAT = "deadline-ledger-evidence-pack";
const FORM = 1;
const SHOWN_MAX = 200;

const say = (line) => void process.stdout.write(`${line}\n`);
const complain = (line) => void process.stderr.write(`${line}\n`);
const sha256 = (data) => createHash("sha256").update(data).digest("hex");

// ------------------------------------------------------------------------------------------------ differences

let differences = 0;

/** Notes one difference: what kind, where, and what is wrong. */
function differs(kind, where, what) {
  differences += 1;
  if (differences <= SHOWN_MAX) say(`${kind.toUpperCase()}: ${where}: ${what}`);
}

class NoPack extends Error {}

// ------------------------------------------------------------------------------------------------ the zip file

/** The entries of a zip file by name, from its central directory. */
async function zipEntries(file, size) {
  const tail = Buffer.alloc(Math.min(size, 65_557));
  await file.read(tail, 0, tail.length, size - tail.length);
  const end = tail.lastIndexOf(Buffer.from("504b0506", "hex"));
  if (end < 0) throw new NoPack("it is no zip file, or its end is cut off");
  const [count, bytes, at] = [
    tail.readUInt16LE(end + 10),
    tail.readUInt32LE(end + 12),
    tail.readUInt32LE(end + 16),
  ];
  if (count === 0xffff || at === 0xffffffff)
    throw new NoPack("it is larger than this verifier reads");
  const directory = Buffer.alloc(bytes);
  await file.read(directory, 0, bytes, at);
  const entries = new Map();
  for (let place = 0, next = 0; place < count; place += 1) {
    if (directory.readUInt32LE(next) !== 0x02014b50) throw new NoPack("its directory is broken");
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) =>
      directory.readUInt16LE(next + offset),
    );
    const name = directory.toString("utf8", next + 46, next + 46 + nameLength);
    if (entries.has(name)) throw new NoPack(`it holds ${name} twice`);
    entries.set(name, {
      method: directory.readUInt16LE(next + 10),
      packed: directory.readUInt32LE(next + 20),
      at: directory.readUInt32LE(next + 42),
    });
    next += 46 + nameLength + extra + comment;
  }
  return entries;
}

/** The bytes of one entry as a stream. */
async function streamOf(pack, name) {
  const entry = pack.entries.get(name);
  if (!entry) return null;
  const local = Buffer.alloc(30);
  await pack.file.read(local, 0, 30, entry.at);
  const start = entry.at + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
  if (entry.packed === 0) return [];
  const raw = createReadStream(pack.path, { start, end: start + entry.packed - 1 });
  if (entry.method === 0) return raw;
  if (entry.method !== 8) throw new NoPack(`${name} is packed in an unknown way`);
  return raw.pipe(createInflateRaw());
}

/** Reads an entry once, hashing it on the way; `onLine` gets every line. Returns its size and hash. */
async function readEntry(pack, name, onLine) {
  const stream = await streamOf(pack, name);
  if (stream === null) return null;
  const hash = createHash("sha256");
  let [bytes, number, rest] = [0, 0, Buffer.alloc(0)];
  try {
    for await (const chunk of stream) {
      hash.update(chunk);
      bytes += chunk.length;
      if (!onLine) continue;
      let from = 0;
      const text = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      for (let to = text.indexOf(10, from); to >= 0; to = text.indexOf(10, from)) {
        number += 1;
        if (to > from) onLine(text.toString("utf8", from, to), number);
        from = to + 1;
      }
      rest = text.subarray(from);
    }
    if (onLine && rest.length > 0) onLine(rest.toString("utf8"), number + 1);
  } catch (error) {
    if (!String(error?.code).startsWith("Z_")) throw error;
    differs("changed", name, "its bytes cannot be unpacked");
  }
  return { bytes, sha256: hash.digest("hex") };
}

async function textOf(pack, name) {
  const chunks = [];
  for await (const chunk of (await streamOf(pack, name)) ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function jsonOf(text, where) {
  try {
    return JSON.parse(text);
  } catch {
    differs("changed", where, "it cannot be read");
    return null;
  }
}

// ------------------------------------------------------------------------------------------------ operations

/** Checks one operation: payload texts, what approvals are bound to, receipts, the chain of entries. */
function checkOperation(pack, operation) {
  const where = `operation ${operation.op}`;
  checkPayloads(pack, operation, where);
  checkChain(pack, operation, where);
  for (const receipt of operation.receipts ?? []) {
    if (sha256(receipt.body) !== receipt.hash) {
      differs("changed", `${where}, read ${receipt.id}`, "its text does not fit its hash");
    }
  }
  checkLeaf(pack, operation, where);
}

/** What is kept for its time only goes a year after the last entry at the earliest; sooner it was taken out. */
function mayBeGone({ entries = [] }, removedAt) {
  const last = bodyOf(entries.at(-1)?.body ?? "")?.at;
  return Date.parse(removedAt) >= Date.parse(last) + 365 * 86_400_000;
}

function checkPayloads(pack, operation, where) {
  const hashes = new Map();
  for (const { version, text, hash, removed_at: removedAt } of operation.payloads ?? []) {
    hashes.set(version, hash);
    if (text === "{}" && mayBeGone(operation, removedAt)) pack.removed += 1;
    else if (sha256(text) !== hash) {
      differs("changed", `${where}, payload ${version}`, "its text does not fit its hash");
    }
  }
  if (hashes.get(operation.version) !== operation.payload_hash) {
    differs("changed", where, "it names another payload than its present version");
  }
  for (const { account, version, payload_hash: hash, at } of operation.approvals ?? []) {
    if (hashes.get(version) !== hash) {
      const whose = `${where}, decision of ${account} at ${at}`;
      differs("changed", whose, `it is about another payload than version ${version}`);
    }
  }
  for (const { seq, body } of operation.entries ?? []) {
    const said = bodyOf(body);
    if (said && hashes.get(said.version) !== said.payload_hash) {
      differs(
        "changed",
        `${where}, entry ${seq}`,
        `it names another payload of version ${said.version}`,
      );
    }
  }
}

function bodyOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Recomputes the chain: each hash is SHA-256 over the hash before and the text of the entry. */
function checkChain(pack, operation, where) {
  const entries = operation.entries ?? [];
  for (const at of entries.keys()) {
    const found = entryFault(pack, operation, entries, at);
    if (found) return differs(found[0], `${where}, entry ${found[1]}`, found[2]);
  }
  const { length, head } = operation.chain;
  if (entries.length < length) {
    return differs("missing", `${where}, entry ${entries.length + 1}`, "it is not there");
  }
  if (entries.length > length) {
    return differs("inserted", `${where}, entry ${length + 1}`, "the operation does not count it");
  }
  if (entries.at(-1)?.hash !== head) {
    differs("changed", `${where}, entry ${length}`, "the operation names another last hash");
  }
}

const follows = (entry, previous) => sha256((previous?.hash ?? "") + entry.body) === entry.hash;

function entryFault(pack, operation, entries, at) {
  const [entry, previous, next] = [entries[at], entries[at - 1], entries[at + 1]];
  const place = at + 1;
  if (entry.seq > place) return ["missing", place, "it is not there"];
  if (entry.seq < place) return ["reordered", place, `entry ${entry.seq} stands here`];
  const body = bodyOf(entry.body);
  if (!body) return ["changed", place, "its text cannot be read"];
  if (body.op !== operation.op || body.tenant !== pack.manifest.tenant) {
    return ["changed", place, "it belongs to another operation"];
  }
  const fits = follows(entry, previous);
  if (!fits || body.seq !== place) {
    const between = "the entries beside it fit without it";
    if (at > 0 && follows(entry, entries[at - 2])) return ["inserted", at, between];
    if (next && follows(next, previous) && !follows(entry, next))
      return ["inserted", place, between];
    if (body.seq !== place) {
      const elsewhere = entries.some((one) => bodyOf(one.body)?.seq === place);
      return elsewhere
        ? ["reordered", place, `it was written as entry ${body.seq}`]
        : ["missing", place, "it is not there"];
    }
    return ["changed", place, "its hash does not fit its text and the entry before it"];
  }
  const before = previous ? bodyOf(previous.body)?.to : null;
  if (body.from !== before)
    return ["changed", place, "it does not begin where the one before ended"];
  return null;
}

/** Compares what was sealed of a chain with the chain, and remembers it for the proofs. */
function checkLeaf(pack, operation, where) {
  const { leaf, entries = [] } = operation;
  if (!leaf) {
    pack.unsealed += 1;
    return;
  }
  pack.leaves.set(operation.op, `${leaf.seal} ${leaf.length} ${leaf.head}`);
  const sealed = entries[leaf.length - 1];
  if (!sealed) {
    const place = entries.length + 1;
    differs(
      "missing",
      `${where}, entry ${place}`,
      `seal ${leaf.seal} counts ${leaf.length} entries`,
    );
  } else if (sealed.hash !== leaf.head) {
    differs("changed", `${where}, entry ${leaf.length}`, `seal ${leaf.seal} names another hash`);
  }
}

// ------------------------------------------------------------------------------------------------ seals and proofs

/** Checks one seal: its hash, its number, the seal before it, and its time stamp. */
function checkSeal(pack, seal, number) {
  const body = bodyOf(seal.body);
  const where = `seal ${body?.seq ?? `in line ${number}`}`;
  if (!body) return differs("changed", where, "its text cannot be read");
  const before = pack.lastSeal;
  pack.lastSeal = { seq: body.seq, hash: seal.hash };
  pack.roots.set(body.seq, body.root);
  if (sha256(seal.body) !== seal.hash) differs("changed", where, "its text does not fit its hash");
  if (body.tenant !== pack.manifest.tenant) differs("changed", where, "it is of another tenant");
  if (body.seq !== before.seq + 1) {
    return differs("missing", `seal ${before.seq + 1}`, "it is not there");
  }
  if (body.previous !== before.hash) differs("changed", where, "it names another seal before it");
  if (seal.stamp) checkStamp(pack, seal, where);
}

/** Follows one proof from the sealed head of a chain to the root of its seal (RFC 6962). */
function checkProof(pack, proof) {
  const where = `operation ${proof.op}`;
  const { op, seal, length, head } = proof;
  if (pack.leaves.get(op) !== `${seal} ${length} ${head}`) {
    return differs("changed", where, `its proof for seal ${seal} is about something else`);
  }
  pack.leaves.delete(op);
  const text = JSON.stringify([op, length, head]);
  let hash = createHash("sha256")
    .update(Buffer.from([0]))
    .update(text)
    .digest();
  for (const step of proof.path) {
    const beside = Buffer.from(step.slice(1), "hex");
    const pair = step[0] === "L" ? [beside, hash] : [hash, beside];
    hash = createHash("sha256")
      .update(Buffer.from([1]))
      .update(pair[0])
      .update(pair[1])
      .digest();
  }
  if (hash.toString("hex") !== pack.roots.get(seal)) {
    differs("changed", where, `its chain is not under the root of seal ${seal}`);
  } else pack.proven += 1;
}

// ------------------------------------------------------------------------------------------------ time stamps

/** One element of DER: its tag, its bytes as a whole and its content. */
function element(bytes, at = 0) {
  let [length, head] = [bytes[at + 1], 2];
  if (length & 0x80) {
    const count = length & 0x7f;
    length = bytes.readUIntBE(at + 2, count);
    head += count;
  }
  const end = at + head + length;
  if (end > bytes.length) throw new RangeError("it is cut off");
  return {
    tag: bytes[at],
    whole: bytes.subarray(at, end),
    content: bytes.subarray(at + head, end),
  };
}

function elements(bytes) {
  const found = [];
  for (let at = 0; at < bytes.length; at += found.at(-1).whole.length)
    found.push(element(bytes, at));
  return found;
}

const inside = (bytes) => elements(element(bytes).content);

/** The bytes of an octet string, which may come in pieces. */
function octets({ tag, content }) {
  return tag === 0x24 ? Buffer.concat(elements(content).map(octets)) : content;
}

const ATTRIBUTE_DIGEST = "06092a864886f70d010904";
const DIGESTS = {
  "608648016503040201": "sha256",
  "608648016503040202": "sha384",
  "608648016503040203": "sha512",
};

/** Takes an RFC 3161 token apart. Throws for bytes that are none. */
function readToken(token) {
  // ContentInfo { type, [0] SignedData { version, algorithms, content, [0] certificates, signers } }
  const parts = inside(inside(token)[1].content);
  // The content { type, [0] octets }, and in the octets the TSTInfo { version, policy, imprint, serial, time, … }.
  const info = octets(element(elements(parts[2].content)[1].content));
  const [, , imprint, , time] = inside(info);
  const certificates = elements(parts.find(({ tag }) => tag === 0xa0).content);
  const signer = elements(elements(parts.at(-1).content)[0].content);
  const attributes = signer.find(({ tag }) => tag === 0xa0);
  const digest = elements(attributes.content).find(({ content }) =>
    content.toString("hex").startsWith(ATTRIBUTE_DIGEST),
  );
  return {
    info,
    imprint: elements(imprint.content)[1].content.toString("hex"),
    at: time.content.toString("latin1"),
    certificates: certificates.map(({ whole }) => new X509Certificate(whole)),
    algorithm: DIGESTS[elements(signer[2].content)[0].content.toString("hex")],
    digest: elements(elements(digest.content)[1].content)[0].content.toString("hex"),
    // What is signed is the set of attributes under its own tag, not under the one it stands with.
    attributes: Buffer.concat([Buffer.from([0x31]), attributes.whole.subarray(1)]),
    signature: signer.findLast(({ tag }) => tag === 0x04).content,
  };
}

function signatureFits(token) {
  return token.certificates.some((certificate) => {
    try {
      const check = createVerify(token.algorithm).update(token.attributes);
      return check.verify(certificate.publicKey, token.signature);
    } catch {
      return false;
    }
  });
}

function checkStamp(pack, seal, where) {
  try {
    const token = readToken(Buffer.from(seal.stamp.token, "base64"));
    if (token.imprint !== seal.hash) {
      return differs("changed", where, "its time stamp is about something else");
    }
    if (
      token.digest !== createHash(token.algorithm).update(token.info).digest("hex") ||
      !signatureFits(token)
    ) {
      return differs("changed", where, "the signature of its time stamp does not fit");
    }
    pack.stamps += 1;
    pack.lastStamp = { seal: pack.lastSeal.seq, at: token.at, authority: seal.stamp.authority };
  } catch {
    differs("changed", where, "its time stamp cannot be read");
  }
}

// ------------------------------------------------------------------------------------------------ the whole pack

async function checkFiles(pack) {
  const onLine = {
    "operations.jsonl": (line, number) => {
      const operation = jsonOf(line, `operations.jsonl, line ${number}`);
      if (!operation) return;
      pack.operations += 1;
      pack.entriesSeen += operation.entries?.length ?? 0;
      checkOperation(pack, operation);
    },
    "seals.jsonl": (line, number) => {
      const seal = jsonOf(line, `seals.jsonl, line ${number}`);
      if (seal) checkSeal(pack, seal, number);
    },
    "proofs.jsonl": (line, number) => {
      const proof = jsonOf(line, `proofs.jsonl, line ${number}`);
      if (proof) checkProof(pack, proof);
    },
  };
  const names = new Set([...Object.keys(onLine), ...pack.manifest.files.map(({ name }) => name)]);
  for (const name of names) {
    const listed = pack.manifest.files.find((one) => one.name === name);
    const found = await readEntry(pack, name, onLine[name]);
    if (!found) differs("missing", name, "the file is not in the pack");
    else if (!listed) differs("inserted", name, "the manifest does not list it");
    else if (found.sha256 !== listed.sha256 || found.bytes !== listed.bytes) {
      differs("changed", name, "the file does not fit the hash in the manifest");
    }
  }
  for (const name of pack.entries.keys()) {
    if (!names.has(name) && name !== "manifest.json") {
      differs("inserted", name, "the manifest does not list it");
    }
  }
}

function checkCounts({ manifest, operations, entriesSeen, leaves, lastSeal }) {
  if (operations !== manifest.operations) {
    const kind = operations < manifest.operations ? "missing" : "inserted";
    differs(
      kind,
      "operations",
      `the manifest counts ${manifest.operations}, there are ${operations}`,
    );
  }
  if (entriesSeen !== manifest.entries) {
    const kind = entriesSeen < manifest.entries ? "missing" : "inserted";
    differs(kind, "entries", `the manifest counts ${manifest.entries}, there are ${entriesSeen}`);
  }
  for (const op of leaves.keys()) differs("missing", `operation ${op}`, "its proof is not there");
  const newest = manifest.newest_seal;
  if ((newest?.seq ?? 0) !== lastSeal.seq || (newest?.hash ?? "") !== lastSeal.hash) {
    differs("changed", "seals", "the newest is not the one that the manifest names");
  }
}

function report(pack) {
  const { manifest, operations, entriesSeen, proven, unsealed, lastSeal, stamps, lastStamp } = pack;
  say(`Pack ${manifest.pack} of tenant ${manifest.tenant}, asked for at ${manifest.asked_at}.`);
  say(`Scope: ${JSON.stringify(manifest.scope)}.`);
  say(`${operations} operations with ${entriesSeen} entries; ${lastSeal.seq} seals.`);
  say(`${proven} operations are under a seal, ${unsealed} are newer than the last one.`);
  if (pack.removed > 0) {
    say(`${pack.removed} payload texts went when their time was over; their hashes are here.`);
  }
  if (lastStamp) {
    const { seal, at, authority } = lastStamp;
    say(
      `${stamps} time stamps; the last, by ${authority}, says that seal ${seal} existed at ${at}.`,
    );
    say("Whether that authority is to be trusted is yours to say: compare its certificate.");
  } else say("No seal carries a time stamp.");
  if (differences === 0) return say("All fits.");
  if (differences > SHOWN_MAX) say(`… and ${differences - SHOWN_MAX} more.`);
  say(`${differences} differences. This pack is not as it was made.`);
}

async function verify(path) {
  const file = await open(path);
  try {
    const entries = await zipEntries(file, (await file.stat()).size);
    const pack = {
      path,
      file,
      entries,
      operations: 0,
      entriesSeen: 0,
      unsealed: 0,
      removed: 0,
      proven: 0,
      stamps: 0,
    };
    Object.assign(pack, { leaves: new Map(), roots: new Map(), lastSeal: { seq: 0, hash: "" } });
    pack.manifest = bodyOf(await textOf(pack, "manifest.json"));
    if (pack.manifest?.format !== FORMAT)
      throw new NoPack("it holds no manifest of an evidence pack");
    if (pack.manifest.form !== FORM) throw new NoPack("it is of a later form than this verifier");
    await checkFiles(pack);
    checkCounts(pack);
    report(pack);
  } finally {
    await file.close();
  }
}

const [path] = process.argv.slice(2);
if (!path) {
  complain("Say which pack: node verify.mjs pack.zip");
  process.exitCode = 2;
} else {
  try {
    await verify(path);
    process.exitCode = differences === 0 ? 0 : 1;
  } catch (error) {
    complain(`${path} cannot be checked: ${error instanceof Error ? error.message : error}.`);
    process.exitCode = 2;
  }
}
