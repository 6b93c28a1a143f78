import { expect, test } from "vitest";
import type { Asked } from "@/lib/domain/asked";
import type { OperationKind } from "@/lib/domain/operation";
import type { ApproveView } from "@/lib/queries/approve-page";
import { approveQuestion } from "./approve-question";

const AT = "2026-12-18T16:00:00Z";
const DEADLINE = {
  date: "2026-12-18",
  time: "17:00",
  zone: "Europe/Berlin",
  choice: "only",
  instant: AT,
  offset: "+01:00",
  zoneData: "2026f",
};

function view(kind: OperationKind, asked: Partial<Asked>): ApproveView {
  const request = {
    ref: "req_7006",
    zone: "Europe/Berlin",
    signed: 1,
    signerCount: 2,
    businessDeadline: { at: AT, approved: DEADLINE },
  };
  const whole: Asked = {
    kind,
    targetAt: null,
    deadline: null,
    expected: { status: "viewed", expiresAt: AT, version: null },
    signers: 2,
    documentDigests: [],
    timers: null,
    showsReason: false,
    movesExpiry: false,
    hasMessage: false,
    ...asked,
  };
  return { kind, asked: whole, request } as unknown as ApproveView;
}

test("screens 3.26: a void says who signed, what signers see and that it cannot be undone, and is typed", () => {
  expect(approveQuestion(view("void", { showsReason: true }), "The deal is off.")).toEqual({
    heading: "Approve voiding req_7006?",
    body: "1 of 2 signers has signed. Signers see the reason “The deal is off.”. A void cannot be undone.",
    typed: true,
  });
  expect(approveQuestion(view("void", {}), null)?.body).toContain("shows signers no reason");
});

test("screens 3.26: an expiry says what is lost, now or later", () => {
  expect(approveQuestion(view("expire", {}), null)).toEqual({
    heading: "Approve closing req_7006 now?",
    body: "Nobody can sign after this. Business deadline would be 18 Dec 2026, 17:00 CET (Europe/Berlin).",
    typed: false,
  });
  expect(approveQuestion(view("expire", { targetAt: AT }), null)?.heading).toBe(
    "Approve closing req_7006 at 18 Dec 2026, 17:00 CET?",
  );
});

test("screens 3.26: a resend says whom it contacts and what the platform also does", () => {
  expect(approveQuestion(view("resend", {}), null)?.body).toBe(
    "2 signers are contacted again. This platform leaves the expiry as it is.",
  );
  const moving = view("resend", { signers: 1, movesExpiry: true, targetAt: AT });
  expect(approveQuestion(moving, null)?.body).toBe(
    "1 signer is contacted again. This platform also moves the expiry to about 18 Dec 2026, 17:00 CET.",
  );
});

test("screens 7.7: a send asks once more, an extension and a reminder do not", () => {
  const sending = view("send", { targetAt: AT, documentDigests: ["d".repeat(64)] });
  expect(approveQuestion(sending, null)).toMatchObject({
    heading: "Approve sending to 2 signers?",
    body: expect.stringMatching(
      /^Documents 1, digests dddddddd; deadline 18 Dec 2026, 17:00 CET\./,
    ),
  });
  expect(approveQuestion(view("extend", { targetAt: AT }), null)).toBeNull();
  expect(approveQuestion(view("remind", {}), null)).toBeNull();
});
