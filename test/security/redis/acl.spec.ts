import { Redis } from 'ioredis';
import { createLimiter, subscribe } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { exportUsage, usage } from '@sluice/quotas';
import { claim } from '../../support/claim.js';
import { startRedis, type RedisServer } from '../../support/redis.js';
import { acl, allowed, userOf } from './acl.js';
import { everythingOf } from './everything.js';
import { commandsCalled, commandsRefused } from './command-log.js';

/** The texts of 7.0 and of later versions, for a client and for its script. */
const REFUSED = /NOPERM|The user executing the script can't|ACL failure in script/;

describe('the documented ACL user on a Redis', () => {
  let server: RedisServer;
  let admin: Redis;
  let url: string;

  beforeAll(async () => {
    server = await startRedis();
    admin = new Redis(server.port);
    url = server.url.replace('//', '//ratelimit:password@');
  });

  beforeEach(async () => {
    await admin.call('ACL', userOf(acl.server));
    await admin.acl('LOG', 'RESET');
    await admin.config('RESETSTAT');
  });

  afterAll(async () => {
    admin.disconnect();
    await server.stop();
  });

  it('has the rights that a store needs, and no more', async () => {
    const store = redisStore({ url }, { deadline: '5s' });

    await everythingOf(store);
    await store.close();

    expect(await commandsRefused([admin])).toEqual([]);
    expect(await commandsCalled([admin])).toEqual(allowed(acl.server).toSorted());
  });

  it('exports usage with the right to SCAN in addition', async () => {
    await admin.acl('SETUSER', 'ratelimit', '+scan');
    const store = redisStore({ url }, { deadline: '5s' });
    const key = () => 'all';
    const day = { name: 'day', algorithm: 'fixed-window', limit: 9, window: '1d', usage: usage() } as const;
    const limiter = createLimiter({ store, key, ...day });

    const billing = exportUsage(store, { sink: () => undefined });
    await billing.run();
    await limiter.consume({});
    const { problem } = await billing.run();
    await billing.close();
    await store.close();

    expect(problem).toBeUndefined();
    expect(await commandsRefused([admin])).toEqual([]);
  });

  it('can probe Redis after the breaker opened', async () => {
    const states: string[] = [];
    const end = subscribe('sluice:breaker', ({ state }) => states.push(state));
    const store = redisStore({ url }, { deadline: 25 });
    const consume = async () => {
      await Promise.resolve(store.consume([claim()])).catch(() => undefined);
      await new Promise(setImmediate);
    };

    while (!(await commandsCalled([admin])).includes('evalsha')) await consume();
    // A busy machine does not blame Redis for its own stalls, and gives the silent connection up before the breaker opens.
    while (!states.includes('open')) {
      await store.ready();
      server.process.kill('SIGSTOP');
      const until = performance.now() + 1_000;
      while (!states.includes('open') && performance.now() < until) await consume();
      server.process.kill('SIGCONT');
    }
    while (states.at(-1) !== 'closed') await consume();
    await store.close();
    end();

    expect(states.slice(0, 2)).toEqual(['open', 'half-open']);
    expect(await commandsRefused([admin])).toEqual([]);
  });

  it('works without INFO, which only the eviction warning needs', async () => {
    const warned = jest.spyOn(console, 'warn').mockImplementation();
    await admin.acl('SETUSER', 'ratelimit', '-info');
    const store = redisStore({ url }, { deadline: '5s' });

    await everythingOf(store);
    await store.close();

    expect(await commandsRefused([admin])).toEqual(['info']);
    expect(warned.mock.calls).toEqual([
      [expect.stringContaining('Skipping the ready check because INFO command fails')],
    ]);
    warned.mockRestore();
  });

  it.each([
    ['SCRIPT FLUSH', ['SCRIPT', 'FLUSH']],
    ['FLUSHALL', ['FLUSHALL']],
    ['FLUSHDB', ['FLUSHDB']],
    ['KEYS', ['KEYS', '*']],
    ['SCAN', ['SCAN', '0']],
    ['CONFIG', ['CONFIG', 'GET', 'requirepass']],
    ['CLIENT KILL', ['CLIENT', 'KILL', 'TYPE', 'normal']],
    ['ACL', ['ACL', 'LIST']],
    ['a key of another application', ['GET', 'session:ada']],
    ['a key of another application in a script', ['EVAL', 'return 1', '1', 'session:ada']],
    [
      'a key of another application that a script does not name',
      ['EVAL', 'return redis.call("GET", "session:ada")', '0'],
    ],
  ])('cannot use %s', async (_, [command, ...args]) => {
    const client = new Redis(url);

    const answer: unknown = await client.call(command!, args).catch((reason: unknown) => reason);
    client.disconnect();

    expect(answer).toMatchObject({ message: expect.stringMatching(REFUSED) });
  });

  it('cannot use another prefix, which the store reports as a configuration fault', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
    const store = redisStore({ url }, { deadline: '5s' });

    const answer = Promise.resolve(store.consume([claim({ key: 'other:{0}:hour:fw000' })]));

    await expect(answer).rejects.toMatchObject({ message: expect.stringMatching(REFUSED) });
    expect(warned.mock.calls).toEqual([
      [expect.stringMatching(REFUSED), expect.objectContaining({ code: 'SLUICE_REDIS_REFUSES' })],
    ]);
    warned.mockRestore();
    await store.close();
  });

  it.each(['-evalsha', '-time', '-get', '-set'])('is reported as a configuration fault with %s', async (word) => {
    await admin.acl('SETUSER', 'ratelimit', word);
    const faults: string[] = [];
    const end = subscribe('sluice:config-fault', ({ problem }) => faults.push(problem));
    const store = redisStore({ url }, { deadline: '5s' });

    await everythingOf(store).catch(() => undefined);
    await store.close();
    end();

    expect(faults).toEqual([expect.stringMatching(REFUSED)]);
  });
});
