/** Header and plain text of a mail as simple programs write it: one part, or parts one of which is plain text. */
export interface MailText {
  readonly messageId: string;
  readonly subject: string;
  readonly text: string;
}

/** Reads a mail's bytes. What it does not understand stays as it came. */
export function mailText(raw: string): MailText {
  const [head, body] = halves(raw);
  const boundary = /boundary="?([^";\r\n]+)"?/i.exec(headerOf(head, "content-type"))?.[1];
  const parts =
    boundary === undefined ? [raw] : body.split(`--${boundary}`).map((one) => one.trimStart());
  const plain = parts.find((one) => /^content-type:\s*text\/plain/im.test(halves(one)[0])) ?? raw;
  const [partHead, partBody] = halves(plain);
  const encoding = headerOf(partHead, "content-transfer-encoding").toLowerCase();
  return {
    messageId: headerOf(head, "message-id"),
    subject: headerOf(head, "subject"),
    text: decoded(partBody, encoding).trim(),
  };
}

function halves(text: string): readonly [string, string] {
  const at = text.indexOf("\r\n\r\n");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 4)];
}

function headerOf(head: string, name: string): string {
  const lines = head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");
  const found = lines.find((line) => line.toLowerCase().startsWith(`${name}:`));
  return found?.slice(name.length + 1).trim() ?? "";
}

function decoded(text: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(text, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return text;
  const bytes = text
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/gi, (_all, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return Buffer.from(bytes, "latin1").toString("utf8");
}
