import { memoryStore, type Store } from '@sluice/core';
import type { Redis } from 'ioredis';
import type { RedisServer } from '../support/redis.js';
import { newStoreOn, withRedisStore } from '../support/redis-store.js';
import { siteAt, type Site } from '../support/site.js';
import type { Definition, Stack } from './stack.js';

/** A stack with a kind of store. Members are for hooks and tests; while `describe` runs there is no server yet. */
export interface World {
  readonly stack: Stack;
  newStore(): Store;
  /** Undefined in memory. */
  readonly redis: { readonly server: RedisServer; readonly client: Redis } | undefined;
}

/** A site of a stack, with the errors that reached its error handler. */
export interface StackSite extends Site {
  readonly errors: readonly unknown[];
}

export async function openSite(stack: Stack, definition: Definition): Promise<StackSite> {
  const app = await stack.start(definition);
  return { ...siteAt(app.address, () => app.close()), errors: app.errors };
}

/** A site that is open while the tests of a `describe` block run. */
export function siteOf(world: World, define: (store: Store) => Omit<Definition, 'store'>): StackSite {
  let site: StackSite | undefined;

  beforeAll(async () => {
    const store = world.newStore();
    site = await openSite(world.stack, { store, ...define(store) });
  });

  afterAll(() => site?.close());

  const opened = (): StackSite => {
    if (site) return site;
    throw new Error('the site is open only while tests run');
  };
  return new Proxy({} as StackSite, { get: (_target, name: keyof StackSite) => opened()[name] });
}

/** Runs the same tests with state in memory and on Redis. */
export function onEachStore(stack: Stack, define: (world: World) => void): void {
  inMemory(stack, define);
  onRedis(stack, define);
}

export function inMemory(stack: Stack, define: (world: World) => void): void {
  describe('in memory', () => define({ stack, newStore: () => memoryStore(), redis: undefined }));
}

export function onRedis(stack: Stack, define: (world: World) => void): void {
  describe('on Redis', () => {
    const opened = withRedisStore();

    define({
      stack,
      newStore: () => newStoreOn(opened.client),
      get redis() {
        return opened;
      },
    });
  });
}
