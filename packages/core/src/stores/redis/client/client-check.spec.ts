import { Cluster, Redis } from 'ioredis';
import { Redis as Redis5 } from '../../../../../../test/support/ioredis-5.js';

const safe = { maxRetriesPerRequest: 0, enableOfflineQueue: false, socketTimeout: 2_000 };
const safeCluster = {
  enableOfflineQueue: false,
  retryDelayOnFailover: 0,
  retryDelayOnClusterDown: 0,
  redisOptions: { maxRetriesPerRequest: 0, socketTimeout: 2_000 },
};

let emitWarning: jest.SpyInstance;

beforeEach(() => {
  // A warning is given once a process, and each test is one.
  jest.resetModules();
  emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation();
});

afterEach(() => {
  emitWarning.mockRestore();
});

/** What is said of the settings of a client, risk by risk. */
async function risksOf(client: object): Promise<string[]> {
  const { checkClientSettings } = await import('./client-check.js');
  checkClientSettings(client);
  if (emitWarning.mock.calls.length === 0) return [];
  const [[text, { code }]] = emitWarning.mock.calls as [[string, { code: string }]];
  expect(code).toBe('SLUICE_REDIS_CLIENT');
  return /worse than it is: (.*)\. Or let/.exec(text)![1]!.split('; ');
}

describe('the settings of a client that trouble is made worse by', () => {
  it.each<[string, object, string[]]>([
    ['none', {}, []],
    ['maxRetriesPerRequest', { maxRetriesPerRequest: 1 }, ['sent again and counted twice']],
    ['maxRetriesPerRequest of null', { maxRetriesPerRequest: null }, ['sent again and counted twice']],
    ['enableOfflineQueue', { enableOfflineQueue: true }, ['counted later']],
    ['no socketTimeout', { socketTimeout: undefined }, ['silent is kept for minutes']],
    ['a socketTimeout of 0', { socketTimeout: 0 }, ['silent is kept for minutes']],
    ['a replica', { role: 'slave' }, ['a replica cannot count']],
    [
      'several',
      { maxRetriesPerRequest: 20, role: 'slave' },
      ['sent again and counted twice', 'a replica cannot count'],
    ],
  ])('are told: %s', async (_what, options, expected) => {
    const risks = await risksOf({ options: { ...safe, ...options } });

    expect(risks).toEqual(expected.map((each) => expect.stringContaining(each)));
  });

  it.each<[string, object, string[]]>([
    ['none', {}, []],
    ['retryDelayOnFailover', { retryDelayOnFailover: 100 }, ['set retryDelayOnFailover: 0']],
    ['retryDelayOnClusterDown', { retryDelayOnClusterDown: 100 }, ['set retryDelayOnClusterDown: 0']],
    ['enableOfflineQueue', { enableOfflineQueue: true }, ['set enableOfflineQueue: false']],
    [
      'maxRetriesPerRequest of nodes',
      { redisOptions: { socketTimeout: 1 } },
      ['set redisOptions: { maxRetriesPerRequest: 0 }'],
    ],
    [
      'no socketTimeout of nodes',
      { redisOptions: { maxRetriesPerRequest: 0 } },
      ['set redisOptions: { socketTimeout: 2000 }'],
    ],
  ])('are told of a Cluster: %s', async (_what, options, expected) => {
    const risks = await risksOf({ isCluster: true, options: { ...safeCluster, ...options } });

    expect(risks).toEqual(expected.map((each) => expect.stringContaining(each)));
  });

  it('are those that ioredis has by itself, in both versions', async () => {
    const clients = [new Redis({ lazyConnect: true }), new Redis5({ lazyConnect: true })];

    for (const client of clients) {
      jest.resetModules();
      emitWarning.mockClear();

      expect(await risksOf(client)).toHaveLength(3);
    }
    for (const client of clients) client.disconnect();
  });

  it('are those that a Cluster has by itself', async () => {
    const client = new Cluster([], { lazyConnect: true });

    expect(await risksOf(client)).toHaveLength(5);
    client.disconnect();
  });

  it('are gone from a real client that is set up as it is told', async () => {
    const client = new Redis({ ...safe, lazyConnect: true });
    const cluster = new Cluster([], { ...safeCluster, lazyConnect: true });

    expect([await risksOf(client), await risksOf(cluster)]).toEqual([[], []]);
    client.disconnect();
    cluster.disconnect();
  });

  it('are not looked for in what is no client of ioredis', async () => {
    for (const client of [{}, { options: undefined }, { options: null }, { options: 'text' }]) {
      expect(await risksOf(client)).toEqual([]);
    }
  });

  it('are warned of once, and left as they are', async () => {
    const { redisStore } = await import('../redis-store.js');
    const client = new Redis({ lazyConnect: true });
    const before = JSON.stringify(client.options);

    const stores = [redisStore(client), redisStore(client)];
    await Promise.all(stores.map((store) => store.close()));
    client.disconnect();

    expect(emitWarning).toHaveBeenCalledTimes(1);
    expect(JSON.stringify(client.options)).toBe(before);
  });
});
