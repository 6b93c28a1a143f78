import Link from "next/link";
import cards from "@/components/card-table.module.css";
import { kindNoun } from "@/lib/domain/asked";
import classes from "./reviews.module.css";

interface ItemSubjectProps {
  readonly tenant: string;
  readonly item: {
    readonly opId: string | null;
    readonly kind: string | null;
    readonly requestRef: string | null;
    readonly eventId: string | null;
    readonly subscriber: { readonly id: string; readonly name: string } | null;
  };
}

/** What an item is about: the operation, event or subscriber, and the request behind it. */
export function ItemSubject({ tenant, item }: ItemSubjectProps) {
  const path = `/t/${tenant}`;
  const { opId, kind, requestRef, eventId, subscriber } = item;
  return (
    <div className={classes.subject}>
      {opId === null ? null : (
        <Link href={`${path}/operations/${opId}`}>
          {kind === null ? "operation" : kindNoun(kind)} op {opId.slice(0, 8)}
        </Link>
      )}
      {eventId === null ? null : (
        <Link href={`${path}/inbox/${eventId}`}>event {eventId.slice(0, 8)}</Link>
      )}
      {subscriber === null ? null : (
        <Link href={`${path}/outbox/subscribers/${subscriber.id}`}>{subscriber.name}</Link>
      )}
      {requestRef === null ? null : (
        <span className={cards.second}>
          <Link href={`${path}/requests/${requestRef}`}>{requestRef}</Link>
        </span>
      )}
      {opId === null && eventId === null && subscriber === null && requestRef === null
        ? "this installation"
        : null}
    </div>
  );
}
