import { expect, test } from "vitest";
import { viewQuery } from "./saved-view";

test("screens 1.6: a view keeps filters and order, but neither place nor reading zone", () => {
  expect(viewQuery("?owner=me&after=clock_1_req&tz=UTC&drift=yes&by=timer")).toBe(
    "by=timer&drift=yes&owner=me",
  );
  expect(viewQuery("drift=yes&owner=me")).toBe(viewQuery("?owner=me&drift=yes"));
  expect(viewQuery("?before=x")).toBe("");
});
