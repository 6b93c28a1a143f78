import { redirect } from "next/navigation";
import { requirePerson } from "@/app/_server/session";
import { membershipsOf } from "@/lib/queries/memberships";
import { consoleContext } from "@/lib/runtime/console";

/** Leads to the one tenant of the person, or to the choice between several. */
export default async function HomePage() {
  const session = await requirePerson();
  const memberships = await membershipsOf(consoleContext().db, session.accountId);
  const only = memberships.length === 1 ? memberships[0] : undefined;
  redirect(only ? `/t/${only.tenant.slug}` : "/tenants");
}
