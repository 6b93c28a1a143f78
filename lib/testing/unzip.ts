import { inflateRawSync } from "node:zlib";

/** The files of a zip in their order, byte by byte as latin1 text. */
export function unzipped(zip: Buffer): Map<string, string> {
  const found = new Map<string, string>();
  const end = zip.lastIndexOf(Buffer.from("504b0506", "hex"));
  let at = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count -= 1) {
    const [packed, start] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 42)];
    const [length, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const name = zip.toString("utf8", at + 46, at + 46 + (length ?? 0));
    const from = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28);
    found.set(name, inflateRawSync(zip.subarray(from, from + packed)).toString("latin1"));
    at += 46 + (length ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return found;
}
