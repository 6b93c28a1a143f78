import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import type { Database } from "./database";
import { mailText } from "./mail-text";
import { keepMail } from "./mails";

export interface MailServer {
  readonly port: number;
  close(): Promise<void>;
}

const MAIL_BYTES_MAX = 1_000_000;

/** Catches every mail on this machine and sends none on, so that a demonstration reaches nobody. */
export async function startMailServer(database: Database, port: number): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    logger: false,
    size: MAIL_BYTES_MAX,
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const { messageId: message_id, ...mail } = mailText(Buffer.concat(parts).toString());
        const kept = session.envelope.rcptTo.map(({ address: to }) =>
          keepMail(database, { ...mail, message_id, to }),
        );
        Promise.all(kept).then(
          () => done(),
          () => done(Object.assign(new Error("not kept"), { responseCode: 451 })),
        );
      });
    },
  });
  // A client that breaks off is nothing to end the process for.
  server.on("error", () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
