import { chromium as playwright, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { chromium, chromiumAdvice } from '../../scripts/chromium.mjs';

/** Without them, Chromium looks up hosts of its maker. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the Chromium of this machine. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = chromium();
  if (executablePath === undefined) throw new Error(chromiumAdvice);
  return playwright.launch({ executablePath, args: QUIET });
}

/** A page, and what must not happen on it. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors of scripts, violations of the security policy, and requests to other origins. */
  readonly troubles: string[];
}

/** Opens an address, and resolves when the page is live. */
export async function openPage(browser: Browser, url: string, options?: BrowserContextOptions): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  // Below that of a test, so that a failure names the step.
  page.setDefaultTimeout(40_000);
  const troubles: string[] = [];
  const { origin } = new URL(url);
  page.on('pageerror', ({ message }) => troubles.push(`error: ${message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) troubles.push(`request: ${request.url()}`);
  });
  await page.exposeFunction('reportViolation', (text: string) => troubles.push(`policy: ${text}`));
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    reportViolation(event.violatedDirective + ' ' + event.blockedURI))`);
  await page.goto(url);
  await page.waitForSelector('[data-connection=live]');
  return { page, troubles };
}
