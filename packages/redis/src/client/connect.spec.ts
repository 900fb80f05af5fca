import type * as Ioredis from 'ioredis';
import { warnOfSettings } from './client-check.js';
import { connect } from './connect.js';

/** Every ioredis client that was created. */
const mockClients: (object & { options: { redisOptions?: object } })[] = [];

jest.mock('ioredis', () => {
  const ioredis = jest.requireActual<typeof Ioredis>('ioredis');
  const recording = <Args extends unknown[]>(Client: new (...args: Args) => (typeof mockClients)[number]) =>
    new Proxy(Client, {
      construct(target, args: Args) {
        const client = new target(...args);
        mockClients.push(client);
        return client;
      },
    });
  return { ...ioredis, Redis: recording(ioredis.Redis as never), Cluster: recording(ioredis.Cluster as never) };
});

describe('connect', () => {
  it('takes the login from a URL, and ignores other settings in it', async () => {
    const client = connect({
      url: 'redis://ada:right@127.0.0.1:1/2?maxRetriesPerRequest=7&enableOfflineQueue=true&commandTimeout=99999',
      connection: { connectionName: 'mine' },
    });
    await client.end();

    const [created] = mockClients.splice(0);
    expect(created!.options).toMatchObject({
      maxRetriesPerRequest: 0,
      enableOfflineQueue: false,
      commandTimeout: 1_000,
      connectionName: 'mine',
      username: 'ada',
      password: 'right',
      db: 2,
    });
  });

  it('pauses for at most 1.2 seconds between two attempts to connect, however many have failed', async () => {
    const client = connect({ url: 'redis://127.0.0.1:1' });
    await client.end();

    const [created] = mockClients.splice(0);
    const { retryStrategy } = created!.options as { readonly retryStrategy: (attempt: number) => number };
    const pauses = Array.from({ length: 1_000 }, (_, failed) => retryStrategy(failed + 1));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1_200);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(50);
  });

  it.each<[string, Parameters<typeof connect>[0]]>([
    ['one server', { url: 'redis://127.0.0.1:1' }],
    ['Sentinel', { sentinels: [{ host: '127.0.0.1', port: 1 }], name: 'primary' }],
    ['a Cluster', { cluster: ['redis://127.0.0.1:1'] }],
  ])('uses no setting that warnOfSettings reports, except socketTimeout: %s', async (_what, options) => {
    const emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation();
    const client = connect(options);
    await client.end();

    const created = mockClients.splice(0);
    const socketTimeout = 1;
    for (const { options: settings, ...rest } of created) {
      const redisOptions = { ...settings.redisOptions, socketTimeout };
      warnOfSettings({ ...rest, options: { ...settings, socketTimeout, redisOptions } });
    }
    const warnings = [...emitWarning.mock.calls];
    emitWarning.mockRestore();

    expect(created).toHaveLength(1);
    expect(warnings).toEqual([]);
  });
});
