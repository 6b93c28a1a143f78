import type { NoticeWish } from "@/lib/domain/notice";
import type { LogEntry } from "@/lib/flows/context";
import { claimDueNotices, dispatchNotice } from "@/lib/flows/dispatch-notices";
import { endSettledMatters } from "@/lib/flows/end-settled-matters";
import type { NoticeWays } from "@/lib/flows/notice-ways";
import { planNotices } from "@/lib/flows/plan-notices";
import { queueNotice } from "@/lib/flows/queue-notice";
import { tellApprovers } from "@/lib/flows/tell-approvers";
import { tellNextInLine } from "@/lib/flows/tell-next-in-line";
import type { WorkerContext } from "@/lib/flows/worker-context";
import { createDelivery } from "@/lib/providers/delivery";
import { createMailer, type Mailer } from "@/lib/providers/mail";
import { asTenant } from "@/lib/store/db";
import { type MovedPools, openMovedPools } from "./sim/pools";
import { type TestSmtpServer, testSmtpServer } from "./smtp-server";
import { openWorkshop, type Workshop } from "./workshop";

/** A ledger whose time can be moved, a mail server, and a worker that tells people. */
export interface NoticeShop {
  readonly shop: Workshop;
  readonly smtp: TestSmtpServer;
  readonly pools: MovedPools;
  readonly ways: NoticeWays;
  readonly worker: WorkerContext;
  /** Everything that the worker logged. */
  readonly logged: LogEntry[];
  /** Moves the ledger's time on, counted from the machine's, in milliseconds. */
  later(ms: number): Promise<void>;
  queue(tenantId: string, wish: NoticeWish): Promise<void>;
  /** Everything that a worker does for notices, until nothing is left to do now. */
  pass(changes?: Partial<NoticeWays>): Promise<void>;
  close(): Promise<void>;
}

export const MAIL_FROM = "ledger@deadline.invalid";

/** A mailer at this server. */
export function mailerAt(url: string): Mailer {
  return createMailer({ url, from: MAIL_FROM });
}

export async function openNoticeShop(): Promise<NoticeShop> {
  const [shop, smtp] = [await openWorkshop(), await testSmtpServer()];
  const pools = openMovedPools(shop.ledger.url);
  const logged: LogEntry[] = [];
  const note = (entry: LogEntry) => void logged.push(entry);
  const log = { debug: note, info: note, warn: note, error: note };
  const worker = await shop.worker({ owner: pools.owner, db: pools.worker, log });
  const ways: NoticeWays = {
    mail: mailerAt(smtp.url),
    deliver: createDelivery({ allowedTargets: [new URL(shop.sandbox.url).host] }),
    consoleUrl: "https://ledger.invalid",
  };
  let movedMs = 0;
  return {
    shop,
    smtp,
    pools,
    ways,
    worker,
    logged,
    later: async (ms) => {
      movedMs += ms;
      await pools.moveTo(movedMs);
    },
    queue: (tenantId, wish) =>
      asTenant(pools.worker, tenantId, (tx) => queueNotice(tx, tenantId, wish)),
    pass: (changes) => passAll(worker, { ...ways, ...changes }),
    close: async () => {
      await Promise.all([pools.close(), smtp.close()]);
      await shop.close();
    },
  };
}

async function passAll(worker: WorkerContext, ways: NoticeWays): Promise<void> {
  for (let done = 1; done > 0; ) {
    await endSettledMatters(worker);
    done = await tellApprovers(worker);
    done += await planNotices(worker, ways.mail !== null);
    const claimed = await claimDueNotices(worker, 16);
    for (const one of claimed) await dispatchNotice(worker, ways, one);
    done += claimed.length + (await tellNextInLine(worker));
  }
}
