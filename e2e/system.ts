import type { System } from "@/lib/testing/system";

/** The processes that the global setup started. */
export function system(): System {
  const text = process.env.E2E_SYSTEM;
  if (!text)
    throw new Error("The browser tests run under playwright.config.ts, which starts the system.");
  return JSON.parse(text) as System;
}
