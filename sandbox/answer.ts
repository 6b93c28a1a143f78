/** What a call of the e-signature API is answered. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A refusal in the platform's form. */
export function refusal(status: number, code: string): Answer {
  return { status, body: { error: { code } } };
}
