import { sha256Hex } from "@/lib/domain/canonical";
import type { Database } from "@/lib/store/db";
import {
  anAccount,
  anExtension,
  aRequest,
  aTenant,
  type TestTenant,
} from "@/lib/testing/factories";

/** The first tenant has this share of everything: a large customer among smaller ones. */
const LARGE_SHARE = 0.4;
const CHUNK = 250_000;

export interface ReviewStock {
  readonly tenants: readonly ReviewTenant[];
}

export interface ReviewTenant extends TestTenant {
  readonly onCallId: string;
  readonly adminId: string;
}

/**
 * Tenants with a queue of `open` items in all and `closed` ones behind it. Of the open ones six in ten are about an
 * operation, three about a request and one about input; reasons, kinds, losses, ages and owners vary, some are taken,
 * acknowledged, snoozed or settled. They go past the triggers, with what the triggers would have written.
 */
export async function fillReviews(
  owner: Database,
  size: { readonly tenants: number; readonly open: number; readonly closed: number },
): Promise<ReviewStock> {
  const tenants: ReviewTenant[] = [];
  for (let number = 0; number < size.tenants; number += 1) {
    const tenant = await aTenant(owner, `reviews-${number}`);
    tenants.push({
      ...tenant,
      onCallId: await anAccount(owner, tenant.id, "on_call"),
      adminId: await anAccount(owner, tenant.id, "admin"),
    });
    await anAccount(owner, tenant.id, "compliance");
  }
  for (const [place, tenant] of tenants.entries()) {
    const share = place === 0 ? LARGE_SHARE : (1 - LARGE_SHARE) / (size.tenants - 1);
    await addOpen(owner, tenant, Math.round(size.open * share));
    const closed = Math.round(size.closed * share);
    for (let done = 0; done < closed; done += CHUNK) {
      await addClosed(owner, tenant, done, Math.min(CHUNK, closed - done));
    }
  }
  await owner.$executeRaw`VACUUM ANALYZE`;
  return { tenants };
}

async function addOpen(owner: Database, tenant: ReviewTenant, count: number): Promise<void> {
  const payload = anExtension(tenant, await aRequest(owner, tenant));
  await pastTriggers(owner, async (run) => {
    await run(
      `INSERT INTO requests (tenant_id, ref, connection_id, platform_ref, zone, business_deadline_at, mirror_status,
        mirror_expires_at, mirror_read_at, mirror_signed, mirror_signers)
      SELECT $1::uuid, 'open_' || n, $2::uuid, 'open_' || n, 'Europe/Berlin', at, 'viewed',
        CASE WHEN n % 20 = 0 THEN at - interval '2 hours' ELSE at END, now(), 1, 2
      FROM (SELECT n, now() + make_interval(mins => 20 + (n * 7919) % 60000) AS at
        FROM generate_series(1, $3::integer) n) o`,
      [tenant.id, tenant.connectionId, count],
    );
    await run(
      `INSERT INTO operations (tenant_id, op_id, op_key, kind, request_ref, connection_id, state, reason, owner,
        canonical_text, payload_hash, approval_id, proposed_by, approved_at, due_at, priority, attempts, fence)
      SELECT $1::uuid, md5($1::uuid || '-' || n)::uuid, 'open/' || n, CASE n % 5 WHEN 0 THEN 'remind' WHEN 1 THEN 'send'
          WHEN 2 THEN 'void' ELSE 'extend' END, 'open_' || n, $2::uuid,
        CASE WHEN n % 2 = 0 THEN 'quarantined' ELSE 'needs_review' END,
        CASE WHEN n % 2 = 0 THEN 'neither_old_nor_new' ELSE 'reconcile_bound_reached' END, 'team:on-call', $3, $4,
        gen_random_uuid(), $5, now(), now(), 1, 1, 1
      FROM generate_series(1, $6::integer) n WHERE n % 10 < 6`,
      [
        tenant.id,
        tenant.connectionId,
        payload,
        sha256Hex(payload),
        `user:${tenant.proposerId}`,
        count,
      ],
    );
    await run(OPEN_ITEMS, [
      tenant.id,
      tenant.connectionId,
      tenant.onCallId,
      tenant.approverId,
      count,
    ]);
    await run(
      `INSERT INTO review_acts (tenant_id, item_id, seq, at, actor, act)
      SELECT tenant_id, id, 1, opened_at, 'system', 'opened' FROM review_items
      WHERE tenant_id = $1::uuid AND closed_at IS NULL`,
      [tenant.id],
    );
  });
}

/** Ages spread over the limits, so that every band has its share; what is taken belongs to one of those on call. */
const OPEN_ITEMS = `
  INSERT INTO review_items (tenant_id, id, op_id, request_ref, reason, owner, default_owner, team, evidence, opened_at,
    kind, connection_id, loses_at, status, assigned_to, assigned_by_person, assigned_at, status_until, settled_at,
    consequence, warn_at, breach_at, breached, alert_level, next_alert_at, acts)
  SELECT $1::uuid, gen_random_uuid(), CASE WHEN n % 10 < 6 THEN md5($1::uuid || '-' || n)::uuid END, ref, reason, owner,
    default_owner, team_of_owner($1::uuid, default_owner), '{}', opened, kind, $2::uuid, loses, status, taken,
    taken IS NOT NULL, CASE WHEN taken IS NOT NULL THEN now() END,
    CASE WHEN status IN ('acknowledged', 'snoozed') THEN now() + interval '5 days' END,
    CASE WHEN status = 'settled' THEN now() END, review_consequence(kind, reason, loses, now()),
    review_reached_at(opened, kind, reason, loses, 0.5), review_reached_at(opened, kind, reason, loses, 1),
    status <> 'settled' AND review_reached_at(opened, kind, reason, loses, 1) <= now(), 0,
    CASE WHEN status <> 'settled' THEN opened END, 1
  FROM (
    SELECT f.*, CASE WHEN taken IS NOT NULL THEN 'account:' || taken ELSE default_owner END AS owner
    FROM (
      SELECT n, CASE WHEN n % 10 < 9 THEN 'open_' || n END AS ref, r.loses,
        CASE WHEN n % 10 >= 6 THEN NULL WHEN n % 5 = 0 THEN 'remind' WHEN n % 5 = 1 THEN 'send'
          WHEN n % 5 = 2 THEN 'void' ELSE 'extend' END AS kind,
        CASE WHEN n % 10 = 9 THEN 'event_type_unknown' WHEN n % 10 >= 6 THEN 'drift_expiry'
          WHEN n % 97 = 0 THEN 'possible_duplicate' WHEN n % 2 = 0 THEN 'neither_old_nor_new'
          ELSE 'reconcile_bound_reached' END AS reason,
        CASE WHEN n % 10 = 9 THEN 'team:admins' WHEN n % 10 >= 6 THEN 'account:' || $4 ELSE 'team:on-call' END
          AS default_owner,
        CASE WHEN n % 31 = 0 THEN 'acknowledged' WHEN n % 37 = 0 THEN 'snoozed' WHEN n % 41 = 0 THEN 'settled'
          WHEN n % 7 = 0 THEN 'claimed' ELSE 'open' END AS status,
        CASE WHEN n % 7 = 0 THEN $3::uuid END AS taken,
        now() - make_interval(secs => (n::bigint * 104729) % 200000) AS opened
      FROM generate_series(1, $5::integer) n
      LEFT JOIN LATERAL (SELECT least(q.business_deadline_at, q.mirror_expires_at) AS loses FROM requests q
        WHERE q.tenant_id = $1::uuid AND q.ref = 'open_' || n AND n % 10 < 9) r ON true
    ) f
  ) g`;

async function addClosed(
  owner: Database,
  tenant: ReviewTenant,
  from: number,
  count: number,
): Promise<void> {
  await pastTriggers(owner, async (run) => {
    await run(
      `INSERT INTO review_items (tenant_id, id, request_ref, reason, owner, default_owner, team, evidence, opened_at,
        kind, connection_id, status, settled_at, closed_at, closed_by, acts, warn_at, breach_at)
      SELECT $1::uuid, md5($1::uuid || '-' || 'closed' || n)::uuid, 'past_' || n / 3, CASE n % 3 WHEN 0 THEN 'drift_expiry'
          WHEN 1 THEN 'neither_old_nor_new' ELSE 'reconcile_bound_reached' END, 'team:on-call', 'team:on-call',
        'team:on-call', '{}', at, 'extend', $2::uuid, CASE n % 5 WHEN 0 THEN 'settled' ELSE 'closed_proven' END,
        at + interval '1 hour', at + interval '1 hour', $3::uuid, 2, at, at
      FROM (SELECT n, now() - random() * interval '365 days' - interval '2 hours' AS at
        FROM generate_series($4::integer, $5::integer) n) c`,
      [tenant.id, tenant.connectionId, tenant.onCallId, from, from + count - 1],
    );
    await run(
      `INSERT INTO review_acts (tenant_id, item_id, seq, at, actor, act)
      SELECT $1::uuid, md5($1::uuid || '-' || 'closed' || n)::uuid, seq, now(), 'system', CASE seq WHEN 1 THEN 'opened' ELSE 'closed' END
      FROM generate_series($2::integer, $3::integer) n, generate_series(1, 2) seq`,
      [tenant.id, from, from + count - 1],
    );
  });
}

type Run = (sql: string, values: readonly unknown[]) => Promise<unknown>;

async function pastTriggers(owner: Database, work: (run: Run) => Promise<void>): Promise<void> {
  await owner.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
      await tx.$executeRaw`SET LOCAL work_mem = '256MB'`;
      await work((sql, values) => tx.$executeRawUnsafe(sql, ...values));
    },
    { timeout: 1_800_000, maxWait: 60_000 },
  );
}
