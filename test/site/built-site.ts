import { join } from 'node:path';
import express from 'express';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { root } from '../../scripts/root.mjs';
import { startBrowser } from '../browser/browser.js';
import { closeServer } from '../support/site.js';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** npm run docs -- --check builds the site before the specs of it run. */
export const dist = join(root, 'site', 'dist');
export const base = process.env['SLUICE_SITE_BASE'] ?? '/';

/** Of a page that can be used: Vue runs it, and what it draws is drawn. */
const READY = `document.querySelector('#app')?.__vue_app__ &&
  !document.querySelector('pre.diagram, .playground:not(:has(table, [role=alert]))')`;

/** A page in the browser, and what went wrong on it. */
export interface Reader {
  readonly page: Page;
  /** What the page logged, failed to load, or loaded from elsewhere. */
  readonly troubles: string[];
  /** Loads a page of the site: `guide/login`, `playground#limit=5`. */
  readonly open: (path: string) => Promise<void>;
}

/** The built site on a server, and a browser. */
export interface BuiltSite {
  reader(options?: BrowserContextOptions): Promise<Reader>;
  close(): Promise<void>;
}

export async function serveBuiltSite(): Promise<BuiltSite> {
  // As a host of sites does: a font that comes late each time would move the text.
  const app = express().use(express.static(dist, { extensions: ['html'], maxAge: '1h' }));
  const server = await new Promise<Server>((resolve) => {
    const listening: Server = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
  const browser = await startBrowser();
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    reader: (options) => readerOf(browser, origin, options),
    async close() {
      await browser.close();
      await closeServer(server);
    },
  };
}

async function readerOf(browser: Browser, origin: string, options?: BrowserContextOptions): Promise<Reader> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  // Then VitePress fetches no pages ahead, which would fail once a spec has cut the network.
  await page.addInitScript("Object.defineProperty(navigator.connection, 'saveData', { value: true })");
  const troubles: string[] = [];
  page.on('pageerror', ({ message }) => troubles.push(`error: ${message}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(`${message.type()}: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) troubles.push(request.url());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) troubles.push(`${response.status()} ${response.url()}`);
  });
  return {
    page,
    troubles,
    async open(path) {
      const [name, hash = ''] = path.split('#');
      await page.goto(`${origin}${base}${name}.html#${hash}`);
      await page.waitForFunction(READY);
    },
  };
}
