import type { Metadata } from "next";
import Link from "next/link";
import { PlainPage } from "@/components/frame/plain-page";

export const metadata: Metadata = { title: "Nothing here" };

/** The same answer for a page that does not exist and for one that the visitor may not see. */
export default function NotFound() {
  return (
    <PlainPage title="Nothing here">
      {/* A page that is refused while it is drawn has no title by metadata. */}
      <title>Nothing here · Deadline Ledger</title>
      <p>There is nothing here, or you may not see it.</p>
      <p>
        <Link href="/">Go to where you start</Link>
      </p>
    </PlainPage>
  );
}
