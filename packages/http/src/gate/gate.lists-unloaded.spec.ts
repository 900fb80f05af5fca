import type { IncomingMessage } from 'node:http';
import { until } from '../../../../test/support/until.js';
import { warningCatcher } from '../../../../test/support/warnings.js';
import { subscribe } from '../../../core/src/events/events.js';
import { ipList, type IpListOptions } from '../lists/ip-list.js';
import type { IpList } from '../networks/ip-list-interface.js';
import { memoryStore } from '../../../core/src/stores/memory/memory-store.js';
import { redisStore, type RedisStore } from '../../../redis/src/redis-store.js';
import { exchange } from '../../../../test/support/exchange.js';
import { closedPort } from '../../../../test/support/listener.js';
import type { GatedLimiterOptions } from './gate-options.js';
import { createGate } from './gate.js';

let store: RedisStore;
const lists: IpList[] = [];

beforeEach(async () => {
  store = redisStore({ url: `redis://127.0.0.1:${await closedPort()}` }, { connectDeadline: 50 });
});

afterEach(async () => {
  for (const list of lists.splice(0)) list.close();
  await store.close();
});

/** A list whose Redis does not answer. */
function listWith(options: Partial<IpListOptions> = {}): IpList {
  const list = ipList({ name: 'blocked', store, seed: ['203.0.113.0/24'], ...options });
  lists.push(list);
  return list;
}

function gateOf(options: Partial<GatedLimiterOptions<IncomingMessage>>) {
  const pages = { name: 'pages', limit: 9, window: '1h', store: memoryStore() };
  const gate = createGate<IncomingMessage>({ ...pages, ...options } as GatedLimiterOptions<IncomingMessage>);
  return async (ip: string) => {
    const { request, response } = exchange();
    const admission = await gate.admit(Object.assign(request, { ip }), response);
    return { admission, retryAfter: response.getHeader('retry-after') };
  };
}

describe('a gate whose list was never loaded', () => {
  const warnings = warningCatcher();

  it('admits what the seed does not deny by default, and reports the list', async () => {
    const events: unknown[] = [];
    const end = subscribe('sluice:list-failed', (event) => events.push(event));
    const admit = gateOf({ deny: listWith() });

    const admissions = [await admit('198.51.100.7'), await admit('203.0.113.9')];
    await until(() => events.length > 0);
    end();

    expect(admissions.map(({ admission }) => admission.state)).toEqual(['admitted', 'denied']);
    expect(events[0]).toEqual({ list: 'blocked', isLoaded: false, problem: expect.stringContaining('ECONNREFUSED') });
    expect(warnings()).toEqual([
      [
        'SLUICE_LIST_NOT_LOADED',
        expect.stringMatching(/^ipList "blocked": it has no state yet, so requests pass it, except its seed, because /),
      ],
    ]);
  });

  it.each(['deny', 'allow'] as const)(
    'answers 503 with Retry-After for onStoreFailure deny of its option %s',
    async (option) => {
      const admit = gateOf({ [option]: listWith({ onStoreFailure: 'deny' }) });

      const { admission, retryAfter } = await admit('198.51.100.7');
      await until(() => warnings().length > 0);

      expect(admission).toMatchObject({
        state: 'denied',
        problem: { status: 503, detail: expect.stringMatching(/^The limits of this service cannot be checked/) },
        decision: { allowed: false, reason: 'unavailable', source: 'none' },
      });
      expect(String(retryAfter)).toMatch(/^[1-5]$/);
      expect(warnings()[0]![1]).toContain('so requests are answered with 503');
    },
  );

  it('decides by the seed for onStoreFailure deny', async () => {
    const deny = gateOf({ deny: listWith({ onStoreFailure: 'deny' }) });
    const allow = gateOf({ allow: listWith({ onStoreFailure: 'deny' }) });

    const { admission: denied } = await deny('203.0.113.9');
    const { admission: allowed } = await allow('203.0.113.9');

    expect(denied).toMatchObject({ problem: { status: 403 } });
    expect(allowed).toEqual({ state: 'admitted', decision: undefined });
  });

  it('waits for connectDeadline once, and answers at once from then on', async () => {
    const list = listWith();
    const admit = gateOf({ deny: list });
    const waits = list.started();

    await admit('198.51.100.7');
    await admit('198.51.100.7');

    expect([waits instanceof Promise, list.started()]).toEqual([true, undefined]);
  });

  it('neither waits for a list in shadow mode nor denies because of it', async () => {
    const list = listWith({ mode: 'shadow', onStoreFailure: 'deny' });
    const admit = gateOf({ deny: list });

    const { admission } = await admit('198.51.100.7');

    expect([list.started(), admission.state]).toEqual([undefined, 'admitted']);
  });

  it('repeats the warning each minute while it lasts', async () => {
    const now = performance.now.bind(performance);
    let skipped = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + skipped);
    let failures = 0;
    const end = subscribe('sluice:list-failed', () => (failures += 1));
    listWith({ refresh: '100ms' });
    const failedAgain = async () => {
      const before = failures;
      await until(() => failures >= before + 2);
    };

    await failedAgain();
    skipped = 30_000;
    await failedAgain();
    const within = warnings().length;
    skipped = 61_000;
    await failedAgain();
    const after = warnings().length;
    end();
    clock.mockRestore();

    expect([within, after]).toEqual([1, 2]);
  });
});
