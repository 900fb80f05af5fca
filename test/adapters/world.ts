import type { Store } from '@sluice/core';
import type { Adapter, Definition } from './adapter.js';
import { openSite, type Site } from './site.js';

/** An adapter, and a kind of store. */
export interface World {
  readonly adapter: Adapter;
  /** For hooks and tests: where descriptions are made, there is none yet. */
  newStore(): Store;
}

/** Everything is asked of one site, which is opened before the tests of a description and closed after them. */
export function siteOf(world: World, define: (store: Store) => Omit<Definition, 'store'>): Site {
  let site: Site | undefined;
  const opened = (): Site => {
    if (site) return site;
    throw new Error('the site is open while tests run');
  };

  beforeAll(async () => {
    const store = world.newStore();
    site = await openSite(world.adapter, { store, ...define(store) });
  });

  afterAll(() => site?.close());

  return {
    get port() {
      return opened().port;
    },
    get errors() {
      return opened().errors;
    },
    ask: (question) => opened().ask(question),
    askTimes: (times, question) => opened().askTimes(times, question),
    begin: (question) => opened().begin(question),
    close: () => opened().close(),
  };
}
