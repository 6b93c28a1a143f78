import { afterAll, beforeAll, expect, test } from "vitest";
import { aMember, aTenant, type TestLedger, testLedger } from "@/lib/testing/tenants";
import { answerOnce, type OnceRequest } from "./answer-once";

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await testLedger();
});
afterAll(() => ledger.close());

async function aRequest(changes: Partial<OnceRequest> = {}): Promise<OnceRequest> {
  const { tenantId } = await aTenant(ledger.owner);
  const member = await aMember(ledger.owner, tenantId);
  const content = 'POST /api/v1/t/x/sends\n{"a":1}';
  return { tenantId, credential: `user:${member.id}`, key: "k-1", content, ...changes };
}

const never = () => Promise.reject(new Error("must not run again"));

test("API-1: a repeat gets the first answer and does nothing again", async () => {
  const request = await aRequest();
  const answer = { status: 201, text: '{"opId":"1"}' };
  const first = await answerOnce(ledger.ctx, request, async () => answer);
  expect(first).toEqual({ kind: "answered", answer, repeated: false });
  const again = await answerOnce(ledger.ctx, request, never);
  expect(again).toEqual({ kind: "answered", answer, repeated: true });
});

test("API-1: of two at the same time one runs and the other hears that it is under way", async () => {
  const request = await aRequest();
  let finish: (answer: { status: number; text: string }) => void = () => undefined;
  const slow = new Promise<{ status: number; text: string }>((resolve) => {
    finish = resolve;
  });
  let begun: () => void = () => undefined;
  const running = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const first = answerOnce(ledger.ctx, request, () => {
    begun();
    return slow;
  });
  await running;
  expect(await answerOnce(ledger.ctx, request, never)).toEqual({ kind: "under_way" });
  finish({ status: 200, text: "{}" });
  expect((await first).kind).toBe("answered");
});

test("API-1: the same key with other content is refused; for another person it is another key", async () => {
  const request = await aRequest();
  const work = async () => ({ status: 200, text: "{}" });
  await answerOnce(ledger.ctx, request, work);
  const other = await answerOnce(ledger.ctx, { ...request, content: "POST /\n2" }, never);
  expect(other).toEqual({ kind: "other_content" });
  const stranger = { ...request, credential: "user:someone-else" };
  expect(await answerOnce(ledger.ctx, stranger, work)).toMatchObject({ repeated: false });
});

test("API-1: a refusal is not kept, so that the corrected request may use the key", async () => {
  const request = await aRequest();
  await expect(answerOnce(ledger.ctx, request, never)).rejects.toThrow("must not run again");
  const corrected = { ...request, content: "POST /\n3" };
  const result = await answerOnce(ledger.ctx, corrected, async () => ({ status: 200, text: "{}" }));
  expect(result).toMatchObject({ kind: "answered", repeated: false });
});

test("PV-4 API-1: neither the key nor the body is kept in the clear", async () => {
  const request = await aRequest({ key: "pat.canary@example.com", content: "POST CANARY" });
  await answerOnce(ledger.ctx, request, async () => ({ status: 200, text: "{}" }));
  const rows = await ledger.owner.httpIdempotency.findMany({
    where: { tenantId: request.tenantId },
  });
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toMatch(/canary/i);
});
