import { createHash } from "node:crypto";
import { hash } from "@node-rs/argon2";
import type { Role } from "@/lib/domain/role";
import { PASSWORD_HASHING } from "@/lib/flows/sign-in";
import type { Database } from "@/lib/store/db";

/** One password for every demo account; it is printed at every start. */
export const DEMO_PASSWORD = "demo-ledger-2026";

export interface DemoTenant {
  readonly slug: string;
  readonly name: string;
}

export const DEMO_TENANTS: readonly DemoTenant[] = [
  { slug: "north", name: "North Legal" },
  { slug: "south", name: "South Trading" },
];

interface DemoAccount {
  readonly login: string;
  readonly zone: string;
  /** Role by the tenant's slug. */
  readonly roles: Readonly<Record<string, Role>>;
}

function accountsOf(slug: string, zone: string): readonly DemoAccount[] {
  const member = (name: string, role: Role): DemoAccount => ({
    login: `${name}@${slug}.example`,
    zone,
    roles: { [slug]: role },
  });
  return [
    member("am1", "account_manager"),
    member("am2", "account_manager"),
    member("oc1", "on_call"),
    member("oc2", "on_call"),
    member("co", "compliance"),
    member("ad", "admin"),
  ];
}

const ACCOUNTS: readonly DemoAccount[] = [
  ...accountsOf("north", "Europe/Berlin"),
  ...accountsOf("south", "Asia/Kolkata"),
  // One person in both tenants, with different rights (C-36).
  {
    login: "robin@both.example",
    zone: "Europe/London",
    roles: { north: "account_manager", south: "on_call" },
  },
];

/** A UUID that the same name always gives, so that seeding again finds what is there. */
export function demoId(name: string): string {
  const hex = createHash("sha256").update(`deadline-ledger demo\n${name}`).digest("hex");
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The account id of a demo login. */
export function demoAccountId(login: string): string {
  return demoId(`account ${login}`);
}

const DEMO_KINDS = ["send", "resend", "remind", "extend", "expire", "void"] as const;

/** Adds the demo tenants, accounts and memberships that are missing; changes none that exist. */
export async function seedPeople(db: Database): Promise<void> {
  await db.tenant.createMany({
    data: DEMO_TENANTS.map(({ slug, name }) => ({ id: demoId(`tenant ${slug}`), slug, name })),
    skipDuplicates: true,
  });
  await db.kindMode.createMany({
    data: DEMO_TENANTS.flatMap(({ slug }) =>
      DEMO_KINDS.map((kind) => ({
        tenantId: demoId(`tenant ${slug}`),
        kind,
        mode: "live",
        changedBy: "system:demo",
      })),
    ),
    skipDuplicates: true,
  });
  const ids = ACCOUNTS.map(({ login }) => demoAccountId(login));
  const known = await db.account.findMany({ where: { id: { in: ids } }, select: { id: true } });
  const missing = ACCOUNTS.filter(
    ({ login }) => !known.some(({ id }) => id === demoAccountId(login)),
  );
  for (const { login, zone } of missing) {
    const passwordHash = await hash(DEMO_PASSWORD, PASSWORD_HASHING);
    await db.account.createMany({
      data: [{ id: demoAccountId(login), login, zone, passwordHash }],
      skipDuplicates: true,
    });
  }
  await db.membership.createMany({
    data: ACCOUNTS.flatMap(({ login, roles }) =>
      Object.entries(roles).map(([slug, role]) => ({
        tenantId: demoId(`tenant ${slug}`),
        accountId: demoAccountId(login),
        role,
      })),
    ),
    skipDuplicates: true,
  });
}

/** The lines that `npm start` prints. */
export function accountLines(): readonly string[] {
  const rows = ACCOUNTS.map(({ login, roles }) => {
    const where = Object.entries(roles).map(([slug, role]) => `${slug}: ${role.replace("_", " ")}`);
    return `  ${login.padEnd(22)}${where.join(", ")}`;
  });
  return [`Demo accounts, all with the password ${DEMO_PASSWORD}:`, ...rows];
}
