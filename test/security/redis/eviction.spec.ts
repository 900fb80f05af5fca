import { redisStore } from '@sluice/redis';
import { claim } from '../../support/claim.js';
import { startRedis } from '../../support/redis.js';

describe('redisStore after its first reply', () => {
  /** The codes of the warnings before the second answer. The first one triggers the check. */
  async function warnedBy(...args: string[]): Promise<string[]> {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
    const server = await startRedis({ args });
    const store = redisStore({ url: server.url }, { deadline: '5s' });
    await store.consume([claim()]);
    await store.consume([claim()]);
    await store.close();
    await server.stop();
    const codes = warned.mock.calls.map(([, options]) => (options as unknown as { code: string }).code);
    warned.mockRestore();
    return codes;
  }

  it.each([
    ['that refuses to take more than its memory', ['--maxmemory', '100mb', '--maxmemory-policy', 'noeviction']],
    ['that may take all the memory there is', ['--maxmemory', '0', '--maxmemory-policy', 'allkeys-lru']],
  ])('does not warn of a Redis %s', async (_, args) => {
    expect(await warnedBy(...args)).toEqual([]);
  });

  it('warns of a Redis that evicts keys when its memory is full', async () => {
    expect(await warnedBy('--maxmemory', '100mb', '--maxmemory-policy', 'volatile-ttl')).toEqual([
      'SLUICE_REDIS_EVICTION',
    ]);
  });
});
