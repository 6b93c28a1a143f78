import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** A mail as it arrived: the envelope apart from the message, whose bytes are kept whole. */
export interface ReceivedMail {
  readonly to: readonly string[];
  /** Header and body as sent. */
  readonly raw: string;
  readonly messageId: string;
  readonly subject: string;
}

export interface TestSmtpServer {
  readonly url: string;
  /** Everything taken so far, in order. */
  readonly mails: ReceivedMail[];
  /** What the server does with the next messages; `null` takes them. */
  answer(how: SmtpRefusal | null): void;
  close(): Promise<void>;
}

export interface SmtpRefusal {
  readonly at: "greeting" | "recipient" | "data";
  readonly status: number;
}

/** A mail server on a free port of this machine; on `port` where one has to come back under its old address. */
export async function testSmtpServer(port = 0): Promise<TestSmtpServer> {
  const mails: ReceivedMail[] = [];
  let refusal: SmtpRefusal | null = null;
  const refuse = (at: SmtpRefusal["at"], to = "") => {
    if (refusal?.at !== at) return null;
    // As real servers do, the answer repeats the address: it must not come to light anywhere.
    return Object.assign(new Error(`no mailbox ${to}`), { responseCode: refusal.status });
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    logger: false,
    onConnect: (_session, done) => done(refuse("greeting")),
    onRcptTo: ({ address }, _session, done) => done(refuse("recipient", address)),
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const error = refuse("data");
        if (error) return done(error);
        const raw = Buffer.concat(parts).toString();
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({
          to,
          raw,
          messageId: header(raw, "Message-ID"),
          subject: header(raw, "Subject"),
        });
        return done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { port: taken } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${taken}`,
    mails,
    answer: (how) => {
      refusal = how;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

function header(raw: string, name: string): string {
  const unfolded = raw.split("\r\n\r\n", 1)[0]?.replaceAll(/\r\n[ \t]+/g, " ") ?? "";
  const line = unfolded
    .split("\r\n")
    .find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return line?.slice(name.length + 1).trim() ?? "";
}
