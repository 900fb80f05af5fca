import type * as Ioredis from 'ioredis';
import { checkClientSettings } from './client-check.js';
import { connect } from './connect.js';

/** Every client of ioredis that was made. */
const mockMade: object[] = [];

jest.mock('ioredis', () => {
  const ioredis = jest.requireActual<typeof Ioredis>('ioredis');
  const noting = <Given extends unknown[]>(Client: new (...given: Given) => object) =>
    new Proxy(Client, {
      construct(target, given: Given) {
        const client = new target(...given);
        mockMade.push(client);
        return client;
      },
    });
  return { ...ioredis, Redis: noting(ioredis.Redis), Cluster: noting(ioredis.Cluster) };
});

const ways: [string, Parameters<typeof connect>[0]][] = [
  ['one server', { url: 'redis://127.0.0.1:1' }],
  ['Sentinel', { sentinels: [{ host: '127.0.0.1', port: 1 }], name: 'primary' }],
  ['a Cluster', { cluster: ['redis://127.0.0.1:1'] }],
];

describe('the settings of a client of the store', () => {
  it('are not those that a URL brings along, but for how to log in', async () => {
    const client = connect({
      url: 'redis://ada:right@127.0.0.1:1/2?maxRetriesPerRequest=7&enableOfflineQueue=true&commandTimeout=99999',
      connection: { connectionName: 'mine' },
    });
    await client.end();

    const [made] = mockMade.splice(0) as [{ options: object }];
    expect(made.options).toMatchObject({
      maxRetriesPerRequest: 0,
      enableOfflineQueue: false,
      commandTimeout: 1_000,
      username: 'ada',
      password: 'right',
      db: 2,
    });
  });

  it.each(ways)(
    'make nothing worse that we warn others of, but silence, which is found out otherwise: %s',
    async (_what, options) => {
      const emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation();
      const client = connect(options);
      await client.end();

      const made = mockMade.splice(0) as (object & { options: { redisOptions?: object } })[];
      const noSilence = { socketTimeout: 1 };
      for (const each of made) {
        const redisOptions = { ...each.options.redisOptions, ...noSilence };
        checkClientSettings(Object.assign(each, { options: { ...each.options, ...noSilence, redisOptions } }));
      }
      const warnings = [...emitWarning.mock.calls];
      emitWarning.mockRestore();

      expect(made).toHaveLength(1);
      expect(warnings).toEqual([]);
    },
  );
});
