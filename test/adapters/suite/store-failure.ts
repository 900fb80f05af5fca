import { memoryStore, type Store } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import type { Stack } from '../stack.js';
import { openSite, type StackSite } from '../world.js';
import { outageAnswers } from './outage-answers.js';
import { outageRoutes } from './outage-routes.js';

/** How an adapter translates a failure of the store. Outages of a real Redis, and their bounds, are in `outage`. */
export function storeFailure(stack: Stack): void {
  describe('an application without its Redis', () => {
    let store: Store;
    let site: StackSite;
    let handled = 0;

    beforeAll(async () => {
      // Nothing listens there.
      store = redisStore({ url: 'redis://127.0.0.1:1' });
      const routes = outageRoutes({
        alive: memoryStore(),
        onHandled: () => (handled += 1),
        onLong: async () => undefined,
      });
      site = await openSite(stack, { store, routes });
    });

    afterAll(async () => {
      await site.close();
      await store.close();
    });

    outageAnswers(
      () => site,
      () => handled,
    );
  });
}
