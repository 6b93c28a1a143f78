import { type NoticeFacts, noticeText } from "./notice-text";

/** A message as a mail carries it. */
export interface NoticeMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const ONCE = "One message is sent for one matter. What joins it later is counted on the page.";

/** The mail of a notice in plain text and in simple HTML. `settingsUrl` is where the reader changes how to be told. */
export function noticeMail(facts: NoticeFacts, zone: string, settingsUrl: string): NoticeMail {
  const { subject, lines } = noticeText(facts, zone);
  const link = `Open in the console: ${facts.url}`;
  const foot = [ONCE, `Change how you are told: ${settingsUrl}`];
  const html = [
    ...lines.map((line) => `<p>${escaped(line)}</p>`),
    `<p><a href="${escaped(facts.url)}">Open in the console</a></p>`,
    `<p>${escaped(ONCE)}</p>`,
    `<p><a href="${escaped(settingsUrl)}">Change how you are told</a></p>`,
  ].join("\n");
  return {
    subject,
    text: `${[...lines, "", link, "", ...foot].join("\n")}\n`,
    html: `<!doctype html>\n<html lang="en"><body>\n${html}\n</body></html>\n`,
  };
}

/** The body for a Slack-compatible incoming webhook. */
export function noticeChat(facts: NoticeFacts): string {
  const { subject, lines } = noticeText(facts);
  const heading = subject.replace("[Deadline Ledger] ", "");
  return JSON.stringify({ text: [`*${heading}*`, ...lines, facts.url].map(escaped).join("\n") });
}

/** The body for a generic webhook: the same for every try, so that a repeat is byte for byte the first one. */
export function noticeEvent(facts: NoticeFacts): string {
  return JSON.stringify({
    type: `notice.${facts.kind}`,
    timestamp: facts.openedAt,
    data: {
      escalation: facts.escalation,
      reason: facts.reason,
      consequence: facts.consequence,
      count: facts.count,
      loses_at: facts.losesAt,
      owner: facts.audience,
      url: facts.url,
    },
  });
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}
