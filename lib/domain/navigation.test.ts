import { expect, test } from "vitest";
import { accessOf, landingOf, mayOpen, ROUTES, type RouteKey } from "./navigation";
import { ROLES, roleMay } from "./role";

test("PV-1: each role lands on a page that it may open", () => {
  for (const role of ROLES) {
    const path = landingOf(role).split("?")[0];
    const keys = (Object.keys(ROUTES) as RouteKey[]).filter((key) => ROUTES[key].path === path);
    expect(
      keys.map((key) => mayOpen(role, key)),
      role,
    ).toEqual([true]);
  }
});

test("PV-1: pages that a role may not see are closed to it", () => {
  expect(mayOpen("account_manager", "system")).toBe(false);
  expect(mayOpen("account_manager", "history_proof")).toBe(false);
  expect(mayOpen("on_call", "request_new")).toBe(false);
  expect(mayOpen("on_call", "erasures")).toBe(false);
  expect(mayOpen("compliance", "request_propose")).toBe(false);
  expect(mayOpen("admin", "request_propose")).toBe(false);
});

test("PV-1: who acts on approvals by the menu is who may approve by permission", () => {
  for (const role of ROLES) {
    const acts = ["act", "own"].includes(accessOf(role, "approvals"));
    expect(acts, role).toBe(roleMay(role, "operation.approve"));
  }
});

test("PV-1: two pages never share a path", () => {
  const paths = Object.values(ROUTES).map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
});
