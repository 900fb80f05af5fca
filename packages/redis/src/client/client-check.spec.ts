import { Cluster, Redis } from 'ioredis';
import { Redis as Redis5 } from '../../../../test/support/ioredis-5.js';
import { freshModules } from '../../../../test/support/fresh-modules.js';

const reconnectOnError = () => false;
const safe = { maxRetriesPerRequest: 0, enableOfflineQueue: false, socketTimeout: 2_000, reconnectOnError };
const safeCluster = {
  enableOfflineQueue: false,
  retryDelayOnFailover: 0,
  retryDelayOnClusterDown: 0,
  redisOptions: { maxRetriesPerRequest: 0, socketTimeout: 2_000 },
};

let emitWarning: jest.SpyInstance;

beforeEach(() => {
  // The process emits a warning once; each spec has modules of its own.
  freshModules();
  emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation();
});

afterEach(() => {
  emitWarning.mockRestore();
});

/** The risks in the warning about a client. */
async function risksOf(client: object): Promise<string[]> {
  const { warnOfSettings } = await import('./client-check.js');
  warnOfSettings(client);
  if (emitWarning.mock.calls.length === 0) return [];
  const [[text, { code }]] = emitWarning.mock.calls as [[string, { code: string }]];
  expect(code).toBe('SLUICE_REDIS_CLIENT_SETTINGS');
  return /hide an outage: (.*)\. Or let/.exec(text)![1]!.split('; ');
}

describe('warnOfSettings', () => {
  it.each<[string, object, string[]]>([
    ['nothing', {}, []],
    ['maxRetriesPerRequest', { maxRetriesPerRequest: 1 }, ['sent again and counted twice']],
    ['maxRetriesPerRequest: null', { maxRetriesPerRequest: null }, ['sent again and counted twice']],
    ['enableOfflineQueue', { enableOfflineQueue: true }, ['counted later']],
    ['a missing socketTimeout', { socketTimeout: undefined }, ['stays open for minutes']],
    ['socketTimeout: 0', { socketTimeout: 0 }, ['stays open for minutes']],
    ['a missing reconnectOnError', { reconnectOnError: null }, ['set reconnectOnError: ']],
    ['a replica', { role: 'slave' }, ['a replica cannot count']],
    ['a missing failoverDetector', { sentinels: [{}] }, ['set failoverDetector: true']],
    ['several settings', { maxRetriesPerRequest: 20, role: 'slave' }, ['counted twice', 'a replica cannot count']],
  ])('reports of one server: %s', async (_what, options, expected) => {
    const risks = await risksOf({ options: { ...safe, ...options } });

    expect(risks).toEqual(expected.map((each) => expect.stringContaining(each)));
  });

  it('reports no connection that stays of a client whose connection the store can replace', async () => {
    const options = { ...safe, socketTimeout: undefined, reconnectOnError: null };

    expect(await risksOf({ options, resetConnection: () => undefined })).toEqual([]);
  });

  it.each<[object, string[]]>([
    [{}, []],
    [{ retryDelayOnFailover: 100 }, ['set retryDelayOnFailover: 0']],
    [{ retryDelayOnClusterDown: 100 }, ['set retryDelayOnClusterDown: 0']],
    [{ enableOfflineQueue: true }, ['set enableOfflineQueue: false']],
    [{ redisOptions: { socketTimeout: 1 } }, ['set redisOptions: { maxRetriesPerRequest: 0 }']],
    [{ redisOptions: { maxRetriesPerRequest: 0 } }, ['set redisOptions: { socketTimeout: 2000 }']],
  ])('reports of a Cluster: %j', async (options, expected) => {
    const risks = await risksOf({ isCluster: true, options: { ...safeCluster, ...options } });

    expect(risks).toEqual(expected.map((each) => expect.stringContaining(each)));
  });

  it.each<[string, () => { disconnect: () => void }, number]>([
    ['ioredis 6', () => new Redis({ lazyConnect: true }), 4],
    ['ioredis 5', () => new Redis5({ lazyConnect: true }), 4],
    ['a Cluster', () => new Cluster([], { lazyConnect: true }), 5],
    ['a safe client', () => new Redis({ ...safe, lazyConnect: true }), 0],
    ['a safe Cluster', () => new Cluster([], { ...safeCluster, lazyConnect: true }), 0],
  ])('finds the risks in the defaults of %s', async (_what, create, count) => {
    const client = create();

    expect(await risksOf(client)).toHaveLength(count);
    client.disconnect();
  });

  it.each([{}, { options: undefined }, { options: null }, { options: 'text' }])(
    'ignores a client without settings of ioredis: %j',
    async (client) => {
      expect(await risksOf(client)).toEqual([]);
    },
  );

  it('warns once of each problem, and changes no setting', async () => {
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
