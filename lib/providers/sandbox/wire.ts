import { z } from "zod";
import type { CallDetail } from "@/lib/domain/observation";
import type { Exchange } from "@/lib/providers/http";

/** A reference is usable when it can stand in a path without escaping. */
export const Reference = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/);

/** What the adapter takes from a request as the platform shows it; everything else is left behind (C-37). */
export const WireRequest = z.object({
  id: Reference,
  client_reference: z.string().max(200).nullable(),
  status: z.string(),
  sent_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  version: z.number().int().nonnegative(),
  last_reminder_at: z.iso.datetime().nullish(),
  reminders: z.boolean().nullish(),
  last_delivery_at: z.iso.datetime().nullish(),
  completed_at: z.iso.datetime().nullish(),
  signers: z.array(
    z.object({
      // Whatever is no plain reference may be something personal and is left behind (PV-4).
      reference: Reference.nullish().catch(null),
      status: z.string(),
    }),
  ),
});

export type WireRequest = z.infer<typeof WireRequest>;

export const WireRequests = z.object({ requests: z.array(WireRequest) });

/** The answer to a send: only the reference matters, the state is what a read says (PL-6). */
export const WireReference = z.object({ id: Reference });

const WireError = z.object({
  error: z.object({ code: z.string().regex(/^[a-z][a-z_]{0,63}$/) }),
});

/** The platform's error code, or null where the body has none that is a plain word. */
export function codeOf(body: unknown): string | null {
  const error = WireError.safeParse(body);
  return error.success ? error.data.error.code : null;
}

/** What may be kept of an exchange (PV-4, C-37). `cause` is the adapter's, unless there was no answer at all. */
export function detailOf(result: Exchange, cause: CallDetail["cause"]): CallDetail {
  return {
    cause: result.kind === "no_answer" ? result.cause : cause,
    httpStatus: result.status,
    platformCode: result.kind === "answer" ? codeOf(result.body) : null,
    platformRequestId: result.requestId,
  };
}
