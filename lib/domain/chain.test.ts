import { describe, expect, test } from "vitest";
import { sha256Hex } from "./canonical";
import { type ChainEntry, type ChainHead, verifyChain } from "./chain";

const TENANT = "11111111-1111-4111-8111-111111111111";
const OP = "7c1e4b09-0000-4000-8000-000000000001";

const MOVES = [
  [null, "proposed", "awaiting_approval"],
  ["proposed", "scheduled", "approved"],
  ["scheduled", "claimed", "picked_up"],
  ["claimed", "submitting", "intent_stored"],
  ["submitting", "done", "effect_confirmed"],
] as const;

function chain(): { head: ChainHead; entries: ChainEntry[] } {
  let hash = "";
  const entries = MOVES.map(([from, to, reason], place) => {
    const at = `2026-11-30T16:20:5${place}.000123Z`;
    const entry = { kind: "transition", reason, actor: "worker:w2", at };
    const body = JSON.stringify({ tenant: TENANT, op: OP, seq: place + 1, from, to, ...entry });
    hash = sha256Hex(hash + body);
    return { seq: place + 1, fromState: from, toState: to, body, hash, ...entry };
  });
  return { head: { tenantId: TENANT, opId: OP, length: entries.length, hash }, entries };
}

function replaced(place: number, change: Partial<ChainEntry>): ChainEntry[] {
  return chain().entries.map((entry, at) => (at === place ? { ...entry, ...change } : entry));
}

describe("SM-4: the chain of one operation", () => {
  test("fits when nothing was touched", () => {
    const { head, entries } = chain();
    expect(verifyChain(head, entries)).toEqual({ verified: true, length: 5, hash: head.hash });
  });

  test("names the entry whose body was changed", () => {
    const { head, entries } = chain();
    const body = entries[2]?.body.replace("worker:w2", "worker:w3") ?? "";
    const found = verifyChain(head, replaced(2, { body, actor: "worker:w3" }));
    expect(found).toMatchObject({ verified: false, seq: 3, fault: "changed" });
  });

  test("names the next entry when body and hash were changed together", () => {
    const { head, entries } = chain();
    const body = entries[2]?.body.replace("worker:w2", "worker:w3") ?? "";
    const hash = sha256Hex((entries[1]?.hash ?? "") + body);
    const found = verifyChain(head, replaced(2, { body, hash, actor: "worker:w3" }));
    expect(found).toMatchObject({ verified: false, seq: 4, fault: "changed" });
  });

  test.each(["kind", "fromState", "toState", "reason", "actor", "at"] as const)(
    "finds a column %s that no longer equals the body",
    (column) => {
      const found = verifyChain(chain().head, replaced(3, { [column]: "x" }));
      expect(found).toMatchObject({ verified: false, seq: 4, fault: "changed" });
    },
  );

  test("names the place of an entry that was taken out", () => {
    const { head, entries } = chain();
    const found = verifyChain(
      head,
      entries.filter((_, place) => place !== 1),
    );
    expect(found).toMatchObject({ verified: false, seq: 2, fault: "missing" });
  });

  test("misses entries at the end, by the head's count", () => {
    const { head, entries } = chain();
    const found = verifyChain(head, entries.slice(0, 3));
    expect(found).toMatchObject({ verified: false, seq: 4, fault: "missing" });
    expect(verifyChain(head, [])).toMatchObject({ verified: false, seq: 1, fault: "missing" });
  });

  test("finds two entries that changed places under each other's number", () => {
    const { head, entries } = chain();
    const swapped = entries.map((entry, place) => {
      const from = entries[place === 1 ? 2 : place === 2 ? 1 : place] ?? entry;
      return { ...from, seq: place + 1 };
    });
    const found = verifyChain(head, swapped);
    expect(found).toMatchObject({ verified: false, seq: 2, fault: "reordered" });
  });

  test.each([
    ["that chains to the one before it", true],
    ["that chains to nothing", false],
  ])("names the place of an entry put in between %s", (_, chains) => {
    const { head, entries } = chain();
    const body = entries[1]?.body.replace("approved", "confirmed") ?? "";
    const hash = sha256Hex((chains ? entries[0]?.hash : "nothing") + body);
    const forged = { ...entries[1], body, hash, reason: "confirmed" } as ChainEntry;
    const put = [...entries.slice(0, 1), forged, ...entries.slice(1)].map((entry, place) => ({
      ...entry,
      seq: place + 1,
    }));
    const found = verifyChain({ ...head, length: 6 }, put);
    expect(found).toMatchObject({ verified: false, seq: 2, fault: "inserted" });
  });

  test("misses an entry that was taken out with all others numbered anew", () => {
    const { head, entries } = chain();
    const left = entries.filter((_, place) => place !== 1);
    const found = verifyChain(
      { ...head, length: 4 },
      left.map((entry, place) => ({ ...entry, seq: place + 1 })),
    );
    expect(found).toMatchObject({ verified: false, seq: 2, fault: "missing" });
  });

  test("finds an entry that the head does not count, and a head that names another entry", () => {
    const { head, entries } = chain();
    const short = { ...head, length: 4, hash: entries[3]?.hash ?? "" };
    expect(verifyChain(short, entries)).toMatchObject({ seq: 5, fault: "inserted" });
    expect(verifyChain({ ...head, hash: "0".repeat(64) }, entries)).toMatchObject({
      verified: false,
      seq: 5,
      fault: "changed",
    });
  });

  test("refuses the entries of another operation, however well they fit", () => {
    const { head, entries } = chain();
    const found = verifyChain({ ...head, opId: TENANT }, entries);
    expect(found).toMatchObject({ verified: false, seq: 1, fault: "changed" });
  });
});
