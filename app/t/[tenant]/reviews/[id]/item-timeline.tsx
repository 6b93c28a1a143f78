"use client";

import { useFrame } from "@/components/frame/frame-facts";
import { personWords } from "@/components/person-words";
import { shortReceipt } from "@/components/read-receipt";
import { StateBadge } from "@/components/state-badge";
import { Timeline, type TimelineEntry } from "@/components/timeline";
import { filled } from "@/lib/domain/sentence";
import { OPERATION_WORDS } from "@/lib/domain/words";
import type { ReviewItemPage } from "@/lib/queries/review-item-page";
import { actorKind, actTitle } from "./act-words";

type Story = ReviewItemPage["timeline"][number];

/** What happened to the operation and what people did about the item, newest first: one story (RV-2). */
export function ItemTimeline({ page }: { readonly page: ReviewItemPage }) {
  const { account } = useFrame();
  const entries = page.timeline.map((story) => entryOf(page, story, account.id)).reverse();
  return <Timeline heading={`Timeline (${entries.length})`} entries={entries} />;
}

function entryOf(page: ReviewItemPage, story: Story, accountId: string): TimelineEntry {
  const kind = actorKind(story.actor);
  const actor = { kind, label: actorLabel(page, story.actor) };
  if (story.source === "operation") {
    return {
      id: `o${story.seq}`,
      at: story.at,
      kind: "state",
      title: <StateBadge family="operation" code={story.to} reason={story.reason} />,
      actor,
      code: story.reason,
      branch: story.from === story.to,
      sentence: filled(OPERATION_WORDS[story.to].sentence, {}),
      ...receiptsIn(story.evidence),
    };
  }
  return {
    id: `i${story.seq}`,
    at: story.at,
    kind: kind === "user" ? "person" : "state",
    title: actTitle(story, accountId, page.family),
    actor,
    ...noteOf(page, story),
  };
}

/** What was typed with a decision or for the next owner is shown with it; of an erased note the digest is on record. */
function noteOf(page: ReviewItemPage, story: Extract<Story, { source: "item" }>) {
  const { decision: id } = story.detail;
  const decision = page.decisions.find((one) => one.id === id);
  const second = story.act === "override_confirmed" || story.act === "override_refused";
  const text = second ? decision?.second?.reason : decision?.reason;
  if (text && (second || story.act === "decided" || story.act === "override_asked")) {
    return { sentence: `“${text}”` };
  }
  if (story.note !== null) return { sentence: `“${story.note}”` };
  return story.noteDigest === null ? {} : { evidence: `note ${story.noteDigest.slice(0, 8)}` };
}

function receiptsIn(evidence: Readonly<Record<string, unknown>>) {
  const { receipts, receipt } = evidence;
  const ids = [...(Array.isArray(receipts) ? receipts : []), receipt].filter(
    (id): id is string => typeof id === "string",
  );
  return ids.length === 0 ? {} : { evidence: `evidence: ${ids.map(shortReceipt).join(" · ")}` };
}

function actorLabel({ persons }: ReviewItemPage, name: string): string {
  const person = persons[name];
  if (person && (name.startsWith("user:") || name.startsWith("key:"))) return personWords(person);
  if (name.startsWith("rule:")) return "a routing rule";
  const [kind = "system", rest] = name.split(":");
  return kind === "system" ? "the ledger" : rest === undefined ? `a ${kind}` : `${kind} ${rest}`;
}
