import { firstRate, rampMinutes } from "@/lib/domain/ramp";
import { Refusal } from "@/lib/domain/refusal";
import {
  type PreviewSeal,
  RESUME_GROUPS,
  type ResumeGroup,
  sealOf,
} from "@/lib/domain/resume-preview";
import { type SwitchScope, scopeWords } from "@/lib/domain/switch-scope";
import { asTenant, type Database, ledgerNow, type Tx } from "@/lib/store/db";
import { type PauseRow, pauseById } from "@/lib/store/pauses";
import { type PreviewRow, previewOf } from "@/lib/store/resume-preview";
import { startLimitOf } from "@/lib/store/start-limits";
import { type Person, personsOf } from "./persons";

/** Rows of each group that the page lists; the count is of all. */
const LISTED = 20;

export interface PreviewGroup {
  readonly group: ResumeGroup;
  readonly count: number;
  /** How many reminders are left when those of the group are joined; null for other groups. */
  readonly into: number | null;
  readonly items: readonly {
    readonly opId: string;
    readonly kind: string;
    readonly requestRef: string;
    readonly dueAt: string;
    readonly clock: "business" | "platform" | null;
    readonly passedAt: string | null;
  }[];
}

export interface ResumePreview {
  readonly now: string;
  readonly pauseId: string;
  readonly scope: SwitchScope;
  /** `connection sbx-1`. */
  readonly scopeWords: string;
  readonly pausedAt: string;
  readonly pausedBy: Person;
  /** Null while it holds. */
  readonly resumedAt: string | null;
  readonly resumedBy: Person | null;
  readonly seal: PreviewSeal;
  readonly groups: readonly PreviewGroup[];
  readonly asked: {
    readonly by: Person;
    readonly at: string;
    /** The preview is still the one that was asked about. */
    readonly sameSeal: boolean;
    /** By how many operations it has grown; negative when it shrank. */
    readonly more: number;
  } | null;
  readonly ramp: {
    readonly perMinute: number;
    readonly limit: number;
    readonly minutes: number;
    readonly total: number;
  };
}

/**
 * What opening a switch would do now, and who asked for it (BL-6). Throws Refusal `not_found`. Switches of scope
 * `all` are not the tenant's and are not found here.
 */
export async function resumePreview(
  db: Database,
  tenantId: string,
  pauseId: string,
  viewerAccountId: string,
): Promise<ResumePreview> {
  return asTenant(db, tenantId, async (tx) => {
    const pause = await pauseById(tx, tenantId, pauseId);
    if (pause === null) throw new Refusal("not_found");
    const rows = pause.resumedAt === null ? await previewOf(tx, tenantId, pause) : [];
    const seal = sealOf(rows);
    const names = [pause.pausedBy, pause.resumeAskedBy, pause.resumedBy].filter(isName);
    const persons = await personsOf(tx, tenantId, names, viewerAccountId);
    const person = (name: string) => persons.get(name) as Person;
    return {
      now: (await ledgerNow(tx)).toISOString(),
      pauseId,
      scope: pause.scope,
      scopeWords: scopeWords(pause.scope, await nameOf(tx, pause)),
      pausedAt: pause.pausedAt.toISOString(),
      pausedBy: person(pause.pausedBy),
      resumedAt: pause.resumedAt?.toISOString() ?? null,
      resumedBy: pause.resumedBy === null ? null : person(pause.resumedBy),
      seal,
      groups: groupsOf(rows),
      asked: askedOf(pause, seal, person),
      ramp: await rampOf(tx, pause, rows),
    };
  });
}

function isName(name: string | null): name is string {
  return name !== null;
}

async function nameOf(tx: Tx, pause: PauseRow): Promise<string | null> {
  if (pause.connectionId === null) return pause.kind;
  const row = await tx.connection.findUnique({
    where: { tenantId_id: { tenantId: pause.tenantId, id: pause.connectionId } },
    select: { name: true },
  });
  return row?.name ?? null;
}

function askedOf(pause: PauseRow, seal: PreviewSeal, person: (name: string) => Person) {
  if (pause.resumeAskedBy === null || pause.resumeAskedAt === null) return null;
  return {
    by: person(pause.resumeAskedBy),
    at: pause.resumeAskedAt.toISOString(),
    sameSeal: pause.resumeAskedHash === seal.hash,
    more: seal.count - (pause.resumeAskedCount ?? 0),
  };
}

async function rampOf(tx: Tx, pause: PauseRow, rows: readonly PreviewRow[]) {
  const limit = pause.rampLimit ?? (await startLimitOf(tx, pause.tenantId, pause));
  const perMinute = pause.rampPerMinute ?? firstRate(limit);
  const total = pause.rampTotal ?? rows.filter(({ group }) => group === "start").length;
  return { perMinute, limit, total, minutes: rampMinutes(perMinute, limit, total) };
}

function groupsOf(rows: readonly PreviewRow[]): readonly PreviewGroup[] {
  return RESUME_GROUPS.map((group) => {
    const members = rows.filter((row) => row.group === group);
    return {
      group,
      count: members.length,
      into: group === "joined" ? new Set(members.map(({ planId }) => planId)).size : null,
      items: members.slice(0, LISTED).map(itemOf),
    };
  });
}

function itemOf({ opId, kind, requestRef, dueAt, clock, passedAt }: PreviewRow) {
  const passed = passedAt?.toISOString() ?? null;
  return { opId, kind, requestRef, dueAt: dueAt.toISOString(), clock, passedAt: passed };
}
