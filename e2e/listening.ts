import type { Browser, Page, Response } from "@playwright/test";
import { system } from "./system";

/**
 * Makes every page of this browser that is sent to the console, or reloaded there, wait until its scripts listen.
 * Before that a click or a key is lost, and what is typed into a field stays unknown to the page.
 */
export function waitUntilPagesListen(browser: Browser): void {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.on("page", (page) => {
      const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
      page.goto = async (...given) => listening(page, await goto(...given));
      page.reload = async (...given) => listening(page, await reload(...given));
    });
    return context;
  };
}

async function listening(page: Page, response: Response | null): Promise<Response | null> {
  if (response !== null && isOurs(response)) {
    await page.locator("html[data-listens]").waitFor({ state: "attached" });
  }
  return response;
}

function isOurs(response: Response): boolean {
  const type = response.headers()["content-type"] ?? "";
  return new URL(response.url()).origin === new URL(system().url).origin && /html/.test(type);
}
