import { createTransport } from "nodemailer";

/** One mail to one person. There is exactly one attempt; the next one is the dispatcher's. */
export interface MailCall {
  readonly to: string;
  /** The same for every attempt, so that a repeat is known as one. */
  readonly messageId: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Bound over connecting, greeting and the whole exchange together, in milliseconds. */
  readonly timeoutMs: number;
}

export type MailOutcome =
  | "delivered"
  /** 5xx to the recipient or to the message: no repeat would change it. */
  | "refused"
  /** The server asks to come again, or refuses to talk at all. */
  | "deferred"
  | "sign_in_refused"
  | "timeout"
  | "connection_lost";

/** What became of one attempt. The server's text is not kept: it may repeat an address (PV-4). */
export interface MailAnswer {
  readonly outcome: MailOutcome;
  readonly status: number | null;
}

/** Sends by the installation's SMTP server. Never throws for anything that a network or a server does. */
export interface Mailer {
  send(call: MailCall): Promise<MailAnswer>;
  /** `<id@domain>` of the sender's domain. */
  messageId(id: string): string;
}

export interface MailSettings {
  /** `smtp://` or `smtps://`, with user and password where the server asks for them. */
  readonly url: string;
  /** The sender, as in `ledger@example.com`. */
  readonly from: string;
}

/** A mailer without a pool and without repeats of its own: one connection, one message, one answer. */
export function createMailer({ url, from }: MailSettings): Mailer {
  const server = serverOf(new URL(url));
  const domain = from.slice(from.lastIndexOf("@") + 1);
  return {
    messageId: (id) => `<${id}@${domain}>`,
    async send(call) {
      const transport = createTransport({
        ...server,
        connectionTimeout: call.timeoutMs,
        greetingTimeout: call.timeoutMs,
        socketTimeout: call.timeoutMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const { to, timeoutMs, ...message } = call;
      const sending = transport.sendMail({
        ...message,
        from,
        to: { name: "", address: to },
        envelope: { from, to: [to] },
        // RFC 3834: nobody's absence note shall answer us.
        headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
      });
      const answer = await withinBound(sending, timeoutMs);
      transport.close();
      return answer;
    },
  };
}

function serverOf(url: URL) {
  const secure = url.protocol === "smtps:";
  const auth =
    url.username === ""
      ? {}
      : {
          auth: {
            user: decodeURIComponent(url.username),
            pass: decodeURIComponent(url.password),
          },
        };
  const here = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  const plain = url.searchParams.get("tls") === "none";
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port || (secure ? 465 : 587)),
    secure,
    ignoreTLS: plain,
    // A password is never sent to another machine in the clear because somebody left STARTTLS out of the greeting.
    requireTLS: !secure && !plain && !here && url.username !== "",
    ...auth,
  };
}

/** A server that answers a little at a time would hold the hand beyond the lease. */
async function withinBound(sending: Promise<unknown>, timeoutMs: number): Promise<MailAnswer> {
  let timer: NodeJS.Timeout | undefined;
  const bound = new Promise<MailAnswer>((resolve) => {
    timer = setTimeout(() => resolve({ outcome: "timeout", status: null }), timeoutMs);
  });
  const answered = sending.then(
    (): MailAnswer => ({ outcome: "delivered", status: 250 }),
    (error: unknown) => answerOf(error),
  );
  const answer = await Promise.race([answered, bound]);
  clearTimeout(timer);
  return answer;
}

function answerOf(error: unknown): MailAnswer {
  const { code, responseCode, command } = error as {
    readonly code?: unknown;
    readonly responseCode?: unknown;
    readonly command?: unknown;
  };
  const status = typeof responseCode === "number" ? responseCode : null;
  if (code === "EAUTH") return { outcome: "sign_in_refused", status };
  if (code === "ETIMEDOUT") return { outcome: "timeout", status };
  // Without an answer of the server: the address itself is none.
  if (code === "EENVELOPE" && status === null) return { outcome: "refused", status };
  if (status === null) return { outcome: "connection_lost", status };
  const aboutThisMail = command === "DATA" || /^RCPT/.test(String(command));
  return { outcome: status >= 500 && aboutThisMail ? "refused" : "deferred", status };
}
