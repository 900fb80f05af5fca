import type { IncomingMessage } from 'node:http';
import { createGate, statsOf } from '@sluice/http';
import { ipList, type IpList } from '@sluice/http/lists';
import { redisStore, type RedisStore } from '@sluice/redis';
import * as fc from 'fast-check';
import { Redis } from 'ioredis';
import { ListCopy } from '../../packages/http/src/lists/list-copy.js';
import { ListedNetworks } from '../../packages/http/src/lists/listed-networks.js';
import { networkText } from '../../packages/http/src/networks/network.js';
import { NO_POSITION, type ListStore } from '../../packages/core/src/stores/store.js';
import { exchange } from '../support/exchange.js';
import { patient } from '../support/patient.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { addressOf, LONG_LIST, storeLongList } from './long-list.js';

const MANY = 10_000;

let server: RedisServer;
let admin: Redis;
const stores: RedisStore[] = [];
const lists: IpList[] = [];

beforeAll(async () => {
  server = await startRedis();
  admin = new Redis(server.port);
  await storeLongList(admin, storeOn(patient), MANY);
});

afterEach(async () => {
  for (const list of lists.splice(0)) list.close();
  await Promise.all(stores.splice(0).map((store) => store.close()));
});

afterAll(async () => {
  admin.disconnect();
  await server.stop();
});

function storeOn(options = {}): RedisStore {
  const store = redisStore({ url: server.url }, options);
  stores.push(store);
  return store;
}

function listOn(store: RedisStore, name: string): IpList {
  const list = ipList({ name, store });
  lists.push(list);
  return list;
}

describe('a list of 10 000 networks on Redis', () => {
  it('is read in pages of at most 10 kB', async () => {
    const store = storeOn(patient) as RedisStore & ListStore;
    await store.ready();
    const sent = async () => Number(/total_net_output_bytes:(\d+)/.exec(await admin.info('stats'))![1]);
    const ofInfo = -(await sent()) + (await sent());
    let position = NO_POSITION;
    let most = 0;

    for (let page = 0; page < 20; page += 1) {
      const before = await sent();
      const read = await store.readList(LONG_LIST, position);
      most = Math.max(most, (await sent()) - before - ofInfo);
      position = read.position;
    }

    expect(most).toBeLessThanOrEqual(10_000);
  });
});

describe('a list of 2 000 networks on Redis', () => {
  it.each(['198.51.100.7', '2001:db8::0:7cf'])(
    'denies the first request of %s in a process that has just started',
    async (ip) => {
      const filling = listOn(storeOn(patient), 'short');
      await filling.add(Array.from({ length: 2_000 }, (_, index) => addressOf(index)));
      await filling.add('198.51.100.7');
      const store = storeOn();
      const gate = createGate<IncomingMessage>({
        store,
        name: 'page',
        limit: 9,
        window: '1h',
        deny: listOn(store, 'short'),
      });
      const { request, response } = exchange();

      const admission = await gate.admit(Object.assign(request, { ip }), response);

      expect(admission).toMatchObject({ state: 'denied', problem: { status: 403 } });
    },
  );
});

describe('a list on a slow Redis', () => {
  it('is refreshed after the deadline of a check, and leaves the breaker closed', async () => {
    const store = storeOn();
    const list = listOn(store, 'slow');
    await list.ready();

    for (let times = 0; times < 8; times += 1) {
      await admin.client('PAUSE', 120, 'ALL');
      await list.refresh();
    }

    expect(statsOf(store).breakers).toEqual([{ state: 'closed', isConnected: true }]);
  });
});

describe('a list with notes, on a Redis with an output buffer limit of 64 kB', () => {
  it('loads, and the connection of the limiter stays', async () => {
    await admin.config('SET', 'client-output-buffer-limit', 'normal 64kb 64kb 1');
    const note = 'n'.repeat(200);
    const filling = listOn(storeOn(patient), 'notes');
    await filling.add(
      Array.from({ length: 5_000 }, (_, index) => addressOf(2 * index)),
      { note },
    );
    const connections = async () => Number(/total_connections_received:(\d+)/.exec(await admin.info('stats'))![1]);
    const store = storeOn();
    await store.ready();
    const before = await connections();
    const list = listOn(store, 'notes');

    await list.ready();
    await list.refresh();

    expect([list.entries().length, await connections()]).toEqual([5_000, before]);
  });
});

describe('a list that changes while it is read', () => {
  const hosts = 3_000;
  const change = fc.record({
    host: fc.nat(hosts - 1),
    duration: fc.constantFrom(0, 3_600_000, 'leaves' as const),
    note: fc.constantFrom('', 'again'),
  });

  it('ends as the list of the store', async () => {
    const store = storeOn(patient) as RedisStore & ListStore;
    await store.ready();
    let number = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { minLength: 1, maxLength: 40 }), { maxLength: 12 }),
        async (rounds) => {
          number += 1;
          const key = `rl:{random-${number}}:list`;
          const networks = new ListedNetworks();
          const all = Array.from({ length: hosts }, (_, host) => ({
            name: addressOf(2 * host),
            duration: 0,
            note: '',
          }));
          await store.changeList(key, all, MANY);
          const left = [...rounds];
          const changing: Pick<ListStore, 'readList' | 'restoreList'> = {
            readList: async (...args) => {
              const page = await store.readList(...args);
              const round = left.shift()?.map(({ host, ...each }) => ({ name: addressOf(2 * host), ...each }));
              if (round) await store.changeList(key, round, MANY);
              return page;
            },
            restoreList: (...args) => store.restoreList(...args),
          };
          const copy = new ListCopy(changing as ListStore, key, networks);

          while (left.length > 0) await copy.refresh();
          const lost = await copy.refresh();

          const own = [...networks.entries()].map(({ network, until, note }) => [
            networkText(network),
            `${until} ${note}`,
          ]);
          const fields = Object.entries(await admin.hgetall(key)).filter(([name]) => name.includes('.'));
          expect(lost).toEqual([]);
          expect(new Map(own as [string, string][])).toEqual(new Map(fields));
        },
      ),
      { numRuns: 12 },
    );
  });
});
