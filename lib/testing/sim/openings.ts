import type { Scenario } from "./scenario";

/**
 * The beginnings of known accidents (model.md, sections 3 and 6): what a random walk would seldom reach. Each step
 * names the action that is done as soon as it is possible; afterwards everything is drawn again.
 */
export interface Opening {
  readonly needs: Partial<Scenario>;
  readonly steps: readonly RegExp[];
}

const SEND_OUT = [/ works$/, /^read shows now$/, /^call leaves$/] as const;
const LEASE_ENDS = [/^101 s pass$/, / sweeps$/] as const;

export const OPENINGS = {
  /** A worker sleeps between its intent and its last check, and its session is given up. */
  sleeps_before_the_check: {
    needs: { kind: "send" },
    steps: [
      / works$/,
      / still after its next write$/,
      /^read shows now$/,
      / loses its session$/,
      ...LEASE_ENDS,
      /^220 s pass$/,
      / looks$/,
      /^read shows now$/,
      / wakes$/,
    ],
  },
  /** A worker sleeps between its answer and its outcome, and another one is under way. */
  writes_too_late: {
    needs: { kind: "extend", rateLimit: "guaranteed", outsiders: false },
    steps: [
      ...SEND_OUT,
      /^429 without effect$/,
      / still before its next write$/,
      /^read shows now$/,
      / loses its session$/,
      ...LEASE_ENDS,
      /^220 s pass$/,
      / looks$/,
      /^read shows now$/,
      ...SEND_OUT,
      /^call lands$/,
      / wakes$/,
    ],
  },
  /** A sweeper acts on what it read before another worker took over. */
  old_photograph: {
    needs: { kind: "extend", outsiders: false },
    steps: [
      / works$/,
      /^101 s pass$/,
      / sweeps and stands still$/,
      / sweeps$/,
      / works$/,
      /^read shows now$/,
      /^read shows now$/,
      /^call leaves$/,
      / wakes$/,
      /^call lands$/,
    ],
  },
  /** What a person has to decide, and a second extension behind it. */
  behind_a_person: {
    needs: { kind: "extend_twice", outsiders: true, conditional: "none" },
    steps: [
      ...SEND_OUT,
      /^connection breaks$/,
      /^call is lost$/,
      /^somebody else moves/,
      /^5 s pass$/,
      / looks$/,
      /^read shows now$/,
      /^a second one is approved$/,
      ...SEND_OUT,
    ],
  },
  /** A second extension while the first one travels. */
  two_at_once: {
    needs: { kind: "extend_twice", outsiders: false, conditional: "none" },
    steps: [
      ...SEND_OUT,
      /^connection breaks$/,
      /^a second one is approved$/,
      ...SEND_OUT,
      /^call lands, the newer one$/,
      /^answer arrives$/,
      /^read shows now$/,
      /^call lands$/,
    ],
  },
  /** A look that begins before the quiet time is over and is written after it. */
  look_begins_early: {
    needs: { kind: "extend", outsiders: false },
    steps: [
      ...SEND_OUT,
      /^connection breaks$/,
      /^5 s pass$/,
      / looks$/,
      /^31 s pass$/,
      /^31 s pass$/,
      /^31 s pass$/,
      /^read shows its beginning$/,
    ],
  },
  /** A success code before the effect. */
  success_code_first: {
    needs: { kind: "extend", outsiders: false },
    steps: [...SEND_OUT, /^2xx before the effect$/, /^read shows now$/, /^call lands$/],
  },
  /** A refusal of the second attempt after the first one has landed, late. */
  refused_after_landing: {
    needs: { kind: "extend", outsiders: true, conditional: "none" },
    steps: [
      ...SEND_OUT,
      /^connection breaks$/,
      /^5 s pass$/,
      / looks$/,
      /^read shows now$/,
      ...SEND_OUT,
      /^call lands$/,
      /^the signer completes$/,
      /^call lands, the newer one$/,
      /^answer arrives$/,
      /^read shows now$/,
    ],
  },
  /** A void whose answer is lost, and a signature while it travels (C-14). */
  signed_under_a_void: {
    needs: { kind: "void", outsiders: true, conditional: "none" },
    steps: [
      ...SEND_OUT,
      /^connection breaks$/,
      /^the signer completes$/,
      /^5 s pass$/,
      / looks$/,
      /^read shows now$/,
      /^call lands$/,
    ],
  },
  /** A reminder that nobody can see travels, and a second one is wanted (RC-5). */
  reminder_out_of_sight: {
    needs: { kind: "remind_twice", traces: false },
    steps: [
      ...SEND_OUT,
      /^connection breaks$/,
      /^a second one is approved$/,
      /^5 s pass$/,
      / looks$/,
      /^read shows now$/,
      ...SEND_OUT,
      /^call lands$/,
    ],
  },
  /** A reminder that shows late, looked at before and after. */
  reminder_shows_late: {
    needs: { kind: "remind_twice", traces: true },
    steps: [
      ...SEND_OUT,
      /^2xx before the effect$/,
      /^read shows now$/,
      /^5 s pass$/,
      / looks$/,
      /^read shows now$/,
      /^call lands$/,
    ],
  },
  /** A resend whose answer is lost while it travels: it must not be called absent (RC-5, RC-8). */
  resend_travels: {
    needs: { kind: "resend", traces: true },
    steps: [...SEND_OUT, /^connection breaks$/, /^5 s pass$/, / looks$/, /^read shows now$/],
  },
  /** A void is approved while an extension travels. */
  void_over_an_extension: {
    needs: { kind: "extend_void", conditional: "none" },
    steps: [
      ...SEND_OUT,
      /^connection breaks$/,
      /^a second one is approved$/,
      ...SEND_OUT,
      /^call lands, the newer one$/,
      /^call lands$/,
    ],
  },
  /** A second deadline replaces the timers of the first one (TM-3). */
  timers_of_two_deadlines: {
    needs: { kind: "timers", outsiders: false },
    steps: [
      ...SEND_OUT,
      /^call lands$/,
      /^answer arrives$/,
      /^read shows now$/,
      /^86400 s pass$/,
      / works$/,
      /^a second one is approved$/,
    ],
  },
  /** An old picture is written after a newer one. */
  old_picture: {
    needs: { kind: "extend", outsiders: true },
    steps: [
      / works$/,
      / still before its next write$/,
      /^read shows now$/,
      /^the signer completes$/,
      ...LEASE_ENDS,
      / works$/,
      /^read shows now$/,
      / wakes$/,
    ],
  },
} as const satisfies Record<string, Opening>;

export type OpeningName = keyof typeof OPENINGS;

export const OPENING_NAMES = Object.keys(OPENINGS) as readonly OpeningName[];
