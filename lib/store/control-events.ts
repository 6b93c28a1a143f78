import { randomUUID } from "node:crypto";
import type { ConnectionAct } from "@/lib/domain/connection-acts";
import type { HistoryAct } from "@/lib/domain/history-acts";
import type { MemberAct } from "@/lib/domain/member-acts";
import type { NoticeAct } from "@/lib/domain/notice-acts";
import type { OutboxAct } from "@/lib/domain/outbox-acts";
import type { PrivacyAct } from "@/lib/domain/privacy-acts";
import type { Db, Tx } from "./db";

export type ControlEventKind =
  | "paused"
  | "resume_asked"
  | "resumed"
  | "ramp_ended"
  | "mode_changed"
  | "mode_asked"
  | "limits_changed"
  | "policy_saved"
  | "routing_saved"
  | "rota_saved"
  | ConnectionAct
  | HistoryAct
  | MemberAct
  | NoticeAct
  | OutboxAct
  | PrivacyAct;

export interface ControlEvent {
  readonly kind: ControlEventKind;
  /** What it is about: `switch:<id>`, `kind:<kind>`, `subscriber:<id>`, `connection:<id>`. */
  readonly about: string;
  readonly actor: string;
  /** Codes, ids and digests; never a typed text (PV-4). */
  readonly body: object;
}

/** Writes one entry of the record of controls (BL-6) and wakes the workers. Returns its id. */
export async function recordControl(
  tx: Tx,
  tenantId: string,
  event: ControlEvent,
): Promise<string> {
  const id = randomUUID();
  await tx.$executeRaw`
    INSERT INTO control_events (tenant_id, id, kind, about, actor, body)
    VALUES (${tenantId}::uuid, ${id}::uuid, ${event.kind}, ${event.about}, ${event.actor},
      ${JSON.stringify(event.body)})`;
  return id;
}

export interface ControlEventRow extends Omit<ControlEvent, "body"> {
  readonly id: string;
  /** JSON text. */
  readonly body: string;
  readonly at: Date;
}

/** The newest entry of these kinds about one thing; null when there is none. */
export async function newestControl(
  db: Db,
  tenantId: string,
  about: string,
  kinds: readonly ControlEventKind[],
): Promise<ControlEventRow | null> {
  const row = await db.controlEvent.findFirst({
    where: { tenantId, about, kind: { in: [...kinds] } },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    select: { id: true, kind: true, about: true, actor: true, body: true, at: true },
  });
  return row as ControlEventRow | null;
}
