import type { DeclaredHandler } from "@/app/_server/route";
import * as me from "./me/route";
import * as mySession from "./me/sessions/[id]/route";
import * as myTenants from "./me/tenants/route";
import * as pulse from "./t/[tenant]/pulse/route";

/** The handlers of one path by method, as its route file exports them. */
export type DeclaredPath = Readonly<Record<string, DeclaredHandler>>;

/**
 * Every path of the API with its route file, for openapi.json. A test compares this list with the route files that
 * exist, so that none can be forgotten.
 */
export const DECLARATIONS: Readonly<Record<string, DeclaredPath>> = {
  "/api/v1/me": me,
  "/api/v1/me/sessions/{id}": mySession,
  "/api/v1/me/tenants": myTenants,
  "/api/v1/t/{tenant}/pulse": pulse,
};
