import { expect, test } from "vitest";
import { type Asked, askedObject, askedSentence } from "./asked";
import type { OperationKind } from "./operation";

const AT = "2026-12-18T16:00:00Z";

function asked(kind: OperationKind, more: Partial<Asked> = {}): Asked {
  const expected = { status: "viewed", expiresAt: "2026-12-15T16:00:00Z", version: null };
  return {
    kind,
    targetAt: null,
    deadline: null,
    expected,
    signers: 2,
    documentDigests: [],
    timers: null,
    showsReason: false,
    movesExpiry: false,
    hasMessage: false,
    ...more,
  };
}

const ASKED = {
  send: asked("send", { targetAt: AT, expected: null }),
  resend: asked("resend"),
  remind: asked("remind", { signers: 1 }),
  extend: asked("extend", { targetAt: AT }),
  expire: asked("expire"),
  void: asked("void"),
} satisfies Partial<Record<OperationKind, Asked>>;

test("screens 0: a button names the verb, the object and the value that matters", () => {
  const words = Object.entries(ASKED).map(([kind, one]) =>
    askedObject(one, kind, "Europe/Berlin", "req_7006"),
  );
  expect(words).toEqual([
    "send to 2 signers",
    "resend of req_7006",
    "reminder to 1 signer",
    "extension to 18 Dec 2026, 17:00 CET",
    "expiry of req_7006",
    "void of req_7006",
  ]);
});

test("screens 3.5: a list says in one sentence what is asked for", () => {
  const words = Object.entries(ASKED).map(([kind, one]) =>
    askedSentence(one, kind, "Europe/Berlin"),
  );
  expect(words).toEqual([
    "Send to 2 signers, until 18 Dec 2026, 17:00 CET",
    "Resend to 2 signers",
    "Remind 1 signer",
    "Extend by 3 d 0 h to 18 Dec 2026, 17:00 CET",
    "Close now",
    "Void",
  ]);
  const later = { ...ASKED.expire, targetAt: AT };
  expect(askedSentence(later, "expire", "Europe/Berlin")).toBe("Close at 18 Dec 2026, 17:00 CET");
  expect(askedSentence(null, "remind", "UTC")).toBe("Reminder");
});
