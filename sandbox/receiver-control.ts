import { z } from "zod";
import type { Platform } from "./context";
import type { Call } from "./http";
import { putReceiver, receivedBy, receiverNamed } from "./received";

const SettingsBody = z.strictObject({
  secrets: z.array(z.string().regex(/^whsec_/)).max(5),
  status: z.int().min(200).max(599).default(200),
  delay_ms: z.int().min(0).max(60_000).default(0),
  location: z.string().max(500).nullable().default(null),
  times: z.int().min(0).nullable().default(null),
});

/** How a receiver answers; left out, with 200 at once. */
export type ReceiverSettings = z.input<typeof SettingsBody>;

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

const NOT_FOUND: Reply = { status: 404, body: { error: { code: "not_found" } } };

/** The part of the control API about receivers: makes them, tells them how to answer, shows what they got. */
export async function replyAboutReceiver(platform: Platform, call: Call): Promise<Reply> {
  const name = call.path[2];
  if (call.path.length !== 3 || name === undefined || !/^[a-z0-9-]{1,60}$/.test(name)) {
    return NOT_FOUND;
  }
  if (call.method === "PUT") return replace(platform, name, call.body);
  if (call.method !== "GET") return NOT_FOUND;
  const receiver = await receiverNamed(platform.database, name);
  if (!receiver) return NOT_FOUND;
  const { status, delayMs, location, times } = receiver;
  const deliveries = await receivedBy(platform.database, name);
  return { status: 200, body: { name, status, delay_ms: delayMs, location, times, deliveries } };
}

async function replace(platform: Platform, name: string, body: unknown): Promise<Reply> {
  const settings = SettingsBody.safeParse(body);
  if (!settings.success) {
    const issues = settings.error.issues.map(({ path, message }) => ({ path, message }));
    return { status: 400, body: { error: { code: "invalid", issues } } };
  }
  const { secrets, status, delay_ms: delayMs, location, times } = settings.data;
  await putReceiver(platform.database, { name, secrets, status, delayMs, location, times });
  return { status: 200, body: { name, status, delay_ms: delayMs, location, times } };
}
