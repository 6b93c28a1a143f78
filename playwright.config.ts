import { defineConfig } from "@playwright/test";
import { CHROMIUM_FLAGS, findChromium } from "./lib/testing/chromium";

const chromium = await findChromium();

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/global-setup.ts",
  forbidOnly: true,
  // The processes share two cores with the browser; more browsers at once only slow each other down.
  workers: 1,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL: process.env.E2E_URL ?? "http://localhost",
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    screenshot: "only-on-failure",
    // A trace takes a picture of every step of every test, the good ones included: on request only.
    trace: process.env.E2E_TRACE ? "retain-on-failure" : "off",
    launchOptions: {
      executablePath: chromium.executablePath,
      args: CHROMIUM_FLAGS,
      env: { ...(process.env as Record<string, string>), ...chromium.env },
    },
  },
  projects: [
    { name: "1440", use: { viewport: { width: 1440, height: 900 } } },
    // A test asks for the narrow screen with the tag @390.
    { name: "390", grep: /@390/, use: { viewport: { width: 390, height: 844 }, hasTouch: true } },
  ],
});
