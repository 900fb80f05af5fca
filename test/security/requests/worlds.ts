import { createRequire } from 'node:module';
import { memoryStore, redisStore, type RateLimitOptions } from '@sluice/express';
import express from 'express';
import { Redis } from 'ioredis';
import { startRedis, type RedisServer } from '../../support/redis.js';
import { LIMIT, openSite, type Site, type SiteOptions } from './site.js';
import { faultsIn } from './traces.js';

const express4 = createRequire(import.meta.url)('express-4') as typeof express;

const TIER = { name: 'hostile', algorithm: 'fixed-window', limit: LIMIT, window: '1h' } as const;

/** The framework and the store that hostile requests meet. */
export interface World {
  /** Opens a site with a tier `hostile`, which is closed after the test. */
  open(options: WorldOptions): Promise<Site>;
  /** The server that keeps the state, or would where it is memory. */
  readonly redis: RedisServer;
  /** How many keys there are, where it is not memory. */
  keys(): Promise<number | undefined>;
}

export interface WorldOptions extends Omit<SiteOptions, 'limiter'> {
  readonly key?: RateLimitOptions['key'];
  /** The tier, and what else its gate is told. */
  readonly limiter?: Partial<RateLimitOptions>;
}

const WORLDS = [
  { name: 'Express 5 in memory', make: express, persists: false },
  { name: 'Express 5 on Redis', make: express, persists: true },
  { name: 'Express 4 in memory', make: express4, persists: false },
  { name: 'Express 4 on Redis', make: express4, persists: true },
];

/**
 * Runs tests on Express 5 and 4, in memory and on Redis. After each, whatever it was about: no error has reached the
 * application, and what is in Redis has a documented key that expires and tells nobody's identity.
 */
export function inEveryWorld(tests: (world: World) => void): void {
  inWorlds(WORLDS, tests);
}

/** The same on Redis alone. */
export function inEveryWorldOfRedis(tests: (world: World) => void): void {
  inWorlds(
    WORLDS.filter(({ persists }) => persists),
    tests,
  );
}

function inWorlds(worlds: typeof WORLDS, tests: (world: World) => void): void {
  let server: RedisServer;
  let client: Redis;

  beforeAll(async () => {
    // Each warning is given once, at a request that happens to be the first, and none is what these tests are about.
    jest.spyOn(process, 'emitWarning').mockReturnValue();
    server = await startRedis();
    client = new Redis(server.port);
  });

  afterAll(async () => {
    client.disconnect();
    await server.stop();
  });

  describe.each(worlds)('under $name', ({ make, persists }) => {
    const sites: Site[] = [];

    afterEach(async () => {
      const open = sites.splice(0);
      for (const site of open) await site.close();
      const faults = await faultsIn(client);
      await client.flushall();

      expect({ errors: open.flatMap(({ errors }) => errors), faults }).toEqual({ errors: [], faults: [] });
    });

    tests({
      async open({ key, limiter = {}, ...options }) {
        const site = await openSite(make, {
          ...options,
          limiter: {
            // A busy machine must not decide what is counted.
            store: persists ? redisStore(client, { deadline: '5s' }) : memoryStore(),
            ...('tiers' in limiter ? {} : { ...TIER, ...(key && { key }) }),
            ...limiter,
          } as RateLimitOptions,
        });
        sites.push(site);
        return site;
      },
      get redis() {
        return server;
      },
      keys: async () => (persists ? client.dbsize() : undefined),
    });
  });
}

/** What buckets have spent when each of so many requests has one of its own. */
export const apart = (count: number): number[] => Array<number>(count).fill(1);

/** What a bucket has spent when so many requests share it, after others. */
export const together = (count: number, after = 0): number[] =>
  Array.from({ length: count }, (_, index) => after + index + 1);
