import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROUTES, type RouteWord } from "@/lib/domain/navigation";

const FOLDER = path.join(import.meta.dirname);

/** Where the pages are, below `/t/[tenant]`. */
const PAGES = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
  .filter((file) => path.basename(file) === "page.tsx")
  .map((file) => `/${path.dirname(file).split(path.sep).join("/")}`)
  .filter((page) => page !== "/.");

/** True for the page itself and for one of the values of its parameters that has a page of its own. */
function isPageOf({ path: route }: RouteWord, page: string): boolean {
  const [wanted, given] = [route.split("/"), page.split("/")];
  return (
    wanted.length === given.length &&
    wanted.every((part, place) => part.startsWith("[") || part === given[place])
  );
}

test("PV-1: every page stands in the table of who may open it, and every other one of the table is named as later", () => {
  const routes = Object.values<RouteWord>(ROUTES);
  expect(PAGES.length).toBeGreaterThan(30);
  for (const page of PAGES) {
    const found = routes.filter((route) => isPageOf(route, page));
    expect([page, found.some(({ here }) => here)]).toEqual([page, true]);
  }
  for (const route of routes) {
    expect([route.path, PAGES.some((page) => isPageOf(route, page))]).toEqual([
      route.path,
      route.here,
    ]);
  }
});
