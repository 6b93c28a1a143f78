import { expect, test } from "vitest";
import { INBOX_WORDS } from "@/lib/domain/inbox-words";
import * as system from "@/lib/domain/system-words";
import * as words from "@/lib/domain/words";
import { pageGroupsFor } from "./frame/pages";
import { STATE_ICONS } from "./state-icon";

test("every word and page of the console has its icon, and no icon is kept that none uses", () => {
  const used = new Set(["hourglass"]);
  for (const { pages } of pageGroupsFor("admin")) for (const { icon } of pages) used.add(icon);
  for (const family of Object.values({ ...words, ...system, INBOX_WORDS })) {
    if (typeof family !== "object" || Array.isArray(family)) continue;
    for (const { icon } of Object.values(family as Record<string, words.Word>)) used.add(icon);
  }
  expect(used.size).toBeGreaterThan(40);
  expect(Object.keys(STATE_ICONS).sort()).toEqual([...used].sort());
});
