import { type AddressInfo, createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type TestSmtpServer, testSmtpServer } from "@/lib/testing/smtp-server";
import { createMailer, type MailCall } from "./mail";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const CALL: MailCall = {
  to: "reader@accounts.invalid",
  messageId: "<one@deadline.invalid>",
  subject: "1 item waits",
  text: "Look at it.\n",
  html: "<p>Look at it.</p>",
  timeoutMs: 5_000,
};

async function server(): Promise<TestSmtpServer> {
  const made = await testSmtpServer();
  open.push(made);
  return made;
}

const mailer = (url: string) => createMailer({ url, from: "ledger@deadline.invalid" });

test("OB-2: a mail has one recipient, plain text and HTML, the given Message-ID, and says that a machine wrote it", async () => {
  const smtp = await server();
  expect(await mailer(smtp.url).send(CALL)).toEqual({ outcome: "delivered", status: 250 });
  const [mail] = smtp.mails;
  expect(mail).toMatchObject({ to: [CALL.to], messageId: CALL.messageId, subject: CALL.subject });
  for (const part of ["text/plain", "text/html", "Auto-Submitted: auto-generated"]) {
    expect(mail?.raw).toContain(part);
  }
});

test("OB-2: only a refusal of the recipient or of the message is for good; all else is tried again", async () => {
  const smtp = await server();
  const asked = async (at: "greeting" | "recipient" | "data", status: number) => {
    smtp.answer({ at, status });
    return mailer(smtp.url).send(CALL);
  };
  expect(await asked("recipient", 550)).toEqual({ outcome: "refused", status: 550 });
  expect(await asked("data", 554)).toEqual({ outcome: "refused", status: 554 });
  expect(await asked("recipient", 450)).toEqual({ outcome: "deferred", status: 450 });
  expect(await asked("data", 452)).toEqual({ outcome: "deferred", status: 452 });
  expect(await asked("greeting", 421)).toEqual({ outcome: "deferred", status: 421 });
  expect(smtp.mails).toEqual([]);
});

test("OB-2: a server that is away, and one that never speaks, are told apart and end the attempt", async () => {
  const gone = await testSmtpServer();
  await gone.close();
  expect(await mailer(gone.url).send(CALL)).toEqual({ outcome: "connection_lost", status: null });
  const silent = createServer((socket) => void socket.on("error", () => socket.destroy()));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  open.push({ close: () => new Promise((resolve) => silent.close(() => resolve())) });
  const { port } = silent.address() as AddressInfo;
  const answer = await mailer(`smtp://127.0.0.1:${port}`).send({ ...CALL, timeoutMs: 100 });
  expect(answer).toEqual({ outcome: "timeout", status: null });
});

test("PV-6: a password is not sent to another machine without encryption", async () => {
  const smtp = await server();
  const url = smtp.url.replace("smtp://", "smtp://user:secret@").replace("127.0.0.1", "localhost");
  // This machine may: it only has no sign-in to offer.
  expect((await mailer(url).send(CALL)).outcome).toBe("delivered");
  const { hostname } = new URL("smtp://[::ffff:127.0.0.1]");
  const mapped = smtp.url.replace("smtp://", "smtp://user:secret@").replace("127.0.0.1", hostname);
  expect((await mailer(mapped).send(CALL)).outcome).not.toBe("delivered");
});
