import type { Metadata } from "next";
import Link from "next/link";
import { requirePerson } from "@/app/_server/session";
import { startOf } from "@/components/frame/pages";
import { PlainPage } from "@/components/frame/plain-page";
import { SignOutButton } from "@/components/frame/sign-out-button";
import { ROLE_LABELS } from "@/lib/domain/role";
import { type TenantRow, tenantRows } from "@/lib/queries/memberships";
import { consoleContext } from "@/lib/runtime/console";
import classes from "./tenants.module.css";

export const metadata: Metadata = { title: "Choose a tenant" };

interface TenantsPageProps {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function TenantsPage({ searchParams }: TenantsPageProps) {
  const session = await requirePerson();
  const { ended } = await searchParams;
  const rows = await tenantRows(consoleContext().db, session.accountId);
  return (
    <PlainPage title="Choose a tenant" width="wide" actions={<SignOutButton />}>
      {ended === undefined ? null : (
        <p role="status" className={classes.ended}>
          You no longer have access to that tenant.
        </p>
      )}
      {rows.length === 0 ? (
        <p>You are not a member of any tenant. Ask an admin to add you.</p>
      ) : (
        <table className={classes.table}>
          <caption>Your tenants</caption>
          <thead>
            <tr>
              <th scope="col">Tenant</th>
              <th scope="col">Your role</th>
              <th scope="col" className={classes.number}>
                Waiting for you
              </th>
              <th scope="col" className={classes.number}>
                Review open / late
              </th>
              <th scope="col" className={classes.number}>
                Unknown now
              </th>
              <th scope="col">Environment</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.slug} row={row} />
            ))}
          </tbody>
        </table>
      )}
    </PlainPage>
  );
}

function Row({ row }: { readonly row: TenantRow }) {
  const base = `/t/${row.slug}`;
  return (
    <tr>
      <th scope="row">
        <Link href={`${base}${startOf(row.role)}`}>{row.name}</Link>
      </th>
      <td data-label="Your role">{ROLE_LABELS[row.role]}</td>
      <td data-label="Waiting for you" className={classes.number}>
        <Link href={`${base}/approvals`}>{row.waitingForMe}</Link>
      </td>
      <td data-label="Review open / late" className={classes.number}>
        <Link href={`${base}/reviews`}>
          {row.reviewsOpen} / {row.reviewsBreached}
        </Link>
      </td>
      <td data-label="Unknown now" className={classes.number}>
        <Link href={`${base}/operations?state=needs_reconcile`}>{row.unknown}</Link>
      </td>
      <td data-label="Environment">
        {row.live ? "live" : "sandbox"}
        {row.paused ? ", paused" : ""}
      </td>
    </tr>
  );
}
