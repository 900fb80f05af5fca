import { join } from 'node:path';
import { createLimiter, type Limiter } from '@sluice/core';
import { line } from '@sluice/overload/line';
import { redisStore, type RedisStore } from '@sluice/redis';
import { Redis } from 'ioredis';
import { root } from '../../scripts/root.mjs';
import { documentOf, sluice, withConfig } from './sluice.js';

interface Worker {
  readonly worker: string;
}

const bucket = { name: 'shared', algorithm: 'token-bucket', limit: 24, window: '1d', burst: 10 } as const;

const entry = JSON.stringify(join(root, 'packages/overload/dist/esm/line.js'));
const core = JSON.stringify(join(root, 'packages/core/dist/esm/index.js'));

/** The Redis or the Cluster of a store, and its servers. */
export interface LinePlace {
  readonly options: { readonly url: string } | { readonly cluster: readonly { host: string; port: number }[] };
  readonly servers: readonly { readonly port: number }[];
}

/** Declares what the commands say of a client whose tier has a line. */
export function describeLineCommands(place: () => LinePlace): void {
  let store: RedisStore;
  let limiter: Limiter<Worker>;

  /** Runs commands beside a bucket that five workers have found empty. */
  async function beside<T>(run: (command: (...args: string[]) => ReturnType<typeof sluice>) => Promise<T>): Promise<T> {
    store = redisStore(place().options, { deadline: '5s' });
    const by = ({ worker }: Worker) => worker;
    limiter = createLimiter<Worker>({
      store,
      tiers: [{ ...bucket, key: () => 'acme', line: line({ longest: '2d', by }) }],
    });
    await store.ready();
    for (const { port } of place().servers) {
      const client = new Redis(port);
      await client.flushall();
      client.disconnect();
    }
    for (const worker of ['zero', 'zero', 'one', 'two', 'three']) {
      await limiter.consume({ worker }, worker === 'zero' ? { cost: 5 } : {});
    }
    const config = `import { createLimiter } from ${core};
import { line } from ${entry};
export const store = redisStore(${JSON.stringify(place().options)}, { deadline: '5s' });
const tier = { ...${JSON.stringify(bucket)}, key: () => 'acme', line: line({ longest: '2d', by: () => 'anyone' }) };
export const limiter = createLimiter({ store, tiers: [tier] });`;
    try {
      // A command closes the store of its configuration.
      return await run((...args) => withConfig(config, (file) => sluice([...args, '--config', file])));
    } finally {
      await limiter.close();
      await store.close();
    }
  }

  it('look and explain say how many units wait, when the line ends, and what the next request is told', async () => {
    const said = await beside(async (command) => ({
      look: await command('look', 'key', 'acme'),
      document: documentOf(await command('look', 'key', 'acme', '--json')),
      explain: await command('explain', 'key', 'acme'),
    }));

    expect(said.look.stdout).toMatch(/denied: its place in line is in (4h|3h 5\dm)/);
    expect(said.look.stdout).toMatch(
      /^shared: line: 3 units wait, and it ends in (3h|2h 5\dm), at (\S+ )?\d\d:\d\d:\d\d\.\d\d\d UTC$/m,
    );
    expect(said.document).toMatchObject({
      tiers: [{ tier: 'shared', allowed: false, waiting: { units: 3, endsAt: expect.any(Number) } }],
    });
    expect(said.explain.stdout).toMatch(/ {2}bucket: .*\n {2}line: 3 units wait, and it ends in (3h|2h 5\dm), at /);
  });

  it('keys counts lines and places as kinds of their own, and finds nothing wrong', async () => {
    const { code, stdout } = await beside((command) => command('keys', '--json', '--rate', '100'));

    const kinds = (JSON.parse(stdout) as { kinds: { kind: string; tier: string; keys: number }[] }).kinds;
    const ours = kinds.filter(({ tier }) => tier === 'shared').map(({ kind, keys }) => [kind, keys]);
    expect(code).toBe(0);
    expect(Object.fromEntries(ours)).toMatchObject({ 'token-bucket': 1, line: 1, 'place in line': 3 });
  });

  it.each([
    ['forget of a client', ['forget', 'key', 'acme', '--yes']],
    ['forget of a tier', ['forget', '--tier', 'shared', '--yes', '--rate', '100']],
  ])('%s ends the line with the state', async (_what, args) => {
    const told = await beside(async (command) => {
      expect(await command(...args)).toMatchObject({ code: 0 });
      await limiter.consume({ worker: 'zero' }, { cost: 10 });
      return limiter.consume({ worker: 'four' });
    });

    expect(told).toMatchObject({ allowed: false });
    expect(told.retryAfter).toBeLessThanOrEqual(3_600_000);
  });

  it('reset of a client ends the line, and no caller that had a place in it waits for that behind the next one', async () => {
    const told = await beside(async () => {
      await limiter.reset({ worker: 'zero' });
      await limiter.consume({ worker: 'zero' }, { cost: 10 });
      const waits: number[] = [];
      for (const worker of ['four', 'three']) waits.push((await limiter.consume({ worker })).retryAfter);
      return waits.map((wait) => Math.ceil(wait / 3_600_000));
    });

    expect(told).toEqual([1, 2]);
  });
}
