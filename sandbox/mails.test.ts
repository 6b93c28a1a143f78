import { afterAll, beforeAll, expect, test } from "vitest";
import { createMailer } from "@/lib/providers/mail";
import { emptyDatabase } from "@/lib/testing/database";
import type { TestDatabase } from "@/lib/testing/database-server";
import type { CaughtMail } from "./mails";
import { type Sandbox, startSandbox } from "./server";

let database: TestDatabase;
let sandbox: Sandbox;
beforeAll(async () => {
  database = await emptyDatabase();
  sandbox = await startSandbox({ databaseUrl: database.url, port: 0, mailPort: 0 });
});
afterAll(async () => {
  await sandbox.close();
  await database.close();
});

test("OB-2: the sandbox catches a mail with its long lines whole, and shows it by its recipient", async () => {
  const mailer = createMailer({ url: sandbox.mailUrl ?? "", from: "ledger@demo.invalid" });
  const url = `http://localhost:3000/t/north/reviews?reason=${"possible_duplicate_".repeat(6)}`;
  const text = `Größe, "what" & <where>.\n\nOpen in the console: ${url}\n`;
  const answer = await mailer.send({
    to: "oc1@north.example",
    messageId: "<one@demo.invalid>",
    subject: "1 item waits for a decision",
    text,
    html: "<p>other</p>",
    timeoutMs: 5_000,
  });
  expect(answer.outcome).toBe("delivered");
  const asked = async (to: string) => {
    const found = await fetch(`${sandbox.url}/control/mails?to=${to}`);
    return ((await found.json()) as { mails: CaughtMail[] }).mails;
  };
  const [mail] = await asked("oc1@north.example");
  expect(mail).toMatchObject({
    message_id: "<one@demo.invalid>",
    subject: "1 item waits for a decision",
  });
  expect(mail?.text.replaceAll("\r\n", "\n")).toBe(text.trim());
  expect(await asked("oc2@north.example")).toEqual([]);
  const page = await (await fetch(`${sandbox.url}/mails`)).text();
  expect(page).toContain(`<a href="${url}">`);
});
