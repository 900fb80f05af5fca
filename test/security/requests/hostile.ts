import type { Redis } from 'ioredis';
import { byIp, createLimiter, type HttpRequest, type Key, type MaybePromise } from '@sluice/http';
import { expressFive } from '../../adapters/stacks/express.js';
import { fastify } from '../../adapters/stacks/fastify.js';
import { hono } from '../../adapters/stacks/hono.js';
import { nodeHttp } from '../../adapters/stacks/node.js';
import type { Definition } from '../../adapters/stack.js';
import { inMemory, onEachStore, onRedis, openSite, type StackSite, type World } from '../../adapters/world.js';
import { sendRaw, type RawRequest } from '../../support/raw-request.js';
import { MARK, TRICKY } from './samples.js';

/** Nest has the requests of its platform, Express 4 those of Express 5, and the web gate those of Hono. */
const stacks = [expressFive, fastify, hono, nodeHttp];

/** More than any test sends. */
export const LIMIT = 100_000;

export interface HostileWorld extends World {
  /** Opens a site with a limit `hostile` by a key; the test closes it. Claims are the JSON of the header `X-Claims`. */
  open(
    key?: (request: HttpRequest) => MaybePromise<Key | undefined>,
    options?: Partial<Definition>,
  ): Promise<HostileSite>;
}

export interface HostileSite extends StackSite {
  /**
   * Sends requests one after the other. Resolves with the units that the budget of each has spent then, or with the
   * status of a request that was not admitted.
   */
  spending(requests: readonly RawRequest[]): Promise<number[]>;
  /** Units that the budget of an address has spent; of any other text, that of all unreadable addresses. */
  spentBy(ip: string): Promise<number>;
}

/**
 * Runs tests on every stack in memory, and on Redis with one of them. After each test: no error has reached the
 * application, and every key in Redis has the documented form, expires, and contains no identity.
 */
export function onEveryStack(tests: (world: HostileWorld) => void): void {
  beforeAll(() => {
    // Warnings have specs of their own.
    jest.spyOn(process, 'emitWarning').mockReturnValue();
  });

  afterAll(() => jest.restoreAllMocks());

  for (const stack of stacks) {
    const run = stack === nodeHttp ? onEachStore : inMemory;
    describe(stack.name, () => run(stack, (world) => tests(hostileWorld(world))));
  }
}

/** Runs tests of what no framework translates on one of the stacks, in memory and on Redis. */
export function onOneStack(tests: (world: HostileWorld) => void): void {
  onEachStore(nodeHttp, (world) => tests(hostileWorld(world)));
}

/** Runs tests on Redis alone. */
export function onOneRedis(tests: (world: HostileWorld) => void): void {
  onRedis(nodeHttp, (world) => tests(hostileWorld(world)));
}

function hostileWorld(world: World): HostileWorld {
  const sites: HostileSite[] = [];

  afterEach(async () => {
    const open = sites.splice(0);
    await Promise.all(open.map((site) => site.close()));
    const faults = world.redis ? await faultsIn(world.redis.client) : [];
    await world.redis?.client.flushall();

    expect({ errors: open.flatMap(({ errors }) => errors), faults }).toEqual({ errors: [], faults: [] });
  });

  return {
    stack: world.stack,
    newStore: () => world.newStore(),
    get redis() {
      return world.redis;
    },
    async open(key = byIp(), options = {}) {
      const limiter = createLimiter<HttpRequest>({
        store: world.newStore(),
        name: 'hostile',
        key: key as (request: HttpRequest) => MaybePromise<Key>,
        algorithm: 'fixed-window',
        limit: LIMIT,
        window: '1h',
      });
      const claims = ({ headers }: HttpRequest): unknown => {
        const json = headers?.['x-claims'];
        return json === undefined ? undefined : JSON.parse(String(json));
      };
      const routes = [{ path: '/', claims, authenticated: [{ limiter }] }];
      const site = await openSite(world.stack, { store: world.newStore(), routes, ...options });
      const hostile = {
        ...site,
        async spending(requests: readonly RawRequest[]) {
          const spent: number[] = [];
          for (const request of requests) {
            const response = await sendRaw(site.port, request);
            spent.push(response.status === 200 ? response.spent : response.status);
          }
          return spent;
        },
        async spentBy(ip: string) {
          const [inspection] = await limiter.inspect({ ip });
          return inspection!.outcome.limit - inspection!.outcome.remaining;
        },
      };
      sites.push(hostile);
      return hostile;
    },
  };
}

/** Spent units when each of so many requests has a budget of its own. */
export const apart = (count: number): number[] => Array<number>(count).fill(1);

/** Spent units when so many requests share a budget, after others. */
export const together = (count: number, after = 0): number[] =>
  Array.from({ length: count }, (_, index) => after + index + 1);

const SHAPE = /^rl:\{[A-Za-z0-9_-]{22}\}:hostile(?:-\d)?:[a-z]{2}[A-Za-z0-9_-]{3}$/;

/** Keys in Redis with another form, without an end, or with an identity in them. */
async function faultsIn(client: Redis): Promise<string[]> {
  const faults: string[] = [];
  for (const key of await client.keys('*')) {
    const value = (await client.type(key)) === 'list' ? await client.lrange(key, 0, -1) : await client.get(key);
    if (!SHAPE.test(key)) faults.push(`${key} has another form`);
    if ((await client.pttl(key)) === -1) faults.push(`${key} does not expire`);
    if (containsIdentity(`${key} ${String(value)}`)) faults.push(`${key} contains an identity: ${String(value)}`);
  }
  return faults;
}

export function containsIdentity(text: string): boolean {
  return [MARK, ...TRICKY].some((identity) => text.includes(identity));
}
