import { Redis } from 'ioredis';
import { redisStore } from '@sluice/core';
import { policyArguments } from '../../packages/core/src/stores/redis/question.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { claim } from './claims.js';
import { Redis as Redis5 } from './ioredis-5.js';
import { patient } from './patient.js';

/** Where a function of an object stands. */
function ownerOf(object: object, name: string): object {
  return Object.hasOwn(object, name) ? object : ownerOf(Object.getPrototypeOf(object) as object, name);
}

/** Tells who calls a function. */
function watch(owner: object, name: string, onCall: (by: unknown) => void): void {
  const { value } = Object.getOwnPropertyDescriptor(owner, name)! as { value: (...args: unknown[]) => unknown };
  Object.defineProperty(owner, name, {
    configurable: true,
    writable: true,
    value(this: unknown, ...args: unknown[]) {
      onCall(this);
      return value.apply(this, args);
    },
  });
}

describe('A call to Redis', () => {
  let server: RedisServer;

  beforeAll(async () => {
    server = await startRedis();
  });

  afterAll(() => server.stop());

  /** Names of the client's functions that a store has called, when it has asked for two keys one after the other. */
  async function called(client: Redis): Promise<string[]> {
    const names: string[] = [];
    for (const name of ['evalsha', 'evalshaBuffer'])
      watch(ownerOf(client, name), name, (by) => by === client && names.push(name));
    const store = redisStore(client, patient);
    try {
      // Until it has them, Redis is sent the scripts themselves.
      for (let check = 0; check < 2; check += 1) {
        const { outcomes } = await store.consume([claim()]);
        expect(outcomes[0]).toMatchObject({ allowed: true, remaining: 9 });
      }
      return names;
    } finally {
      await store.close();
      client.disconnect();
    }
  }

  it.each([
    ['ioredis 6', () => new Redis(server.port)],
    ['ioredis 5', () => new Redis5(server.port)],
    ['a class of its own', () => new (class Own extends Redis {})(server.port)],
    ['ioredis with settings that concern no command', () => new Redis(server.port, { db: 1, connectionName: 'one' })],
  ])('is a command of the class of %s, which is written already', async (_whose, connect) => {
    expect(await called(connect() as Redis)).toEqual([]);
  });

  it('is shown with its arguments to whoever watches what a client sends', async () => {
    const shown: unknown[] = [];
    class Watched extends Redis {
      override sendCommand(...[command, ...more]: Parameters<Redis['sendCommand']>): unknown {
        shown.push([command.name, command.args.slice(1)]);
        return super.sendCommand(command, ...more);
      }
    }
    const client = new Watched(server.port);
    const store = redisStore(client, patient);
    const one = claim();
    await store.consume([one]);
    shown.length = 0;

    await store.consume([one]);
    await store.close();
    client.disconnect();

    expect(shown).toEqual([['evalsha', ['1', one.key, ...policyArguments(one.policy)]]]);
  });

  it('has as long as the store gives it, and not as the client gives commands', async () => {
    const client = new Redis(server.port, { commandTimeout: 50 });
    const other = new Redis(server.port);
    const store = redisStore(client, patient);
    await store.ready();
    await other.client('PAUSE', 200, 'ALL');

    const answered = await Promise.allSettled([store.consume([claim()])]);
    await store.close();
    for (const each of [client, other]) each.disconnect();

    expect(answered).toMatchObject([{ status: 'fulfilled', value: { outcomes: [{ remaining: 9 }] } }]);
  });

  it('is left to a function that stands before that of ioredis', async () => {
    let calls = 0;
    class Counting extends Redis {}
    Object.defineProperty(Counting.prototype, 'evalshaBuffer', {
      configurable: true,
      value(this: Redis, ...args: unknown[]) {
        calls += 1;
        return (ownerOf(Redis.prototype, 'evalshaBuffer') as Redis)['evalshaBuffer' as 'evalsha'].apply(
          this,
          args as never,
        );
      },
    });

    await called(new Counting(server.port));

    expect(calls).toBe(2);
  });

  it('is not taken for one of a method of the name that ours has for it', async () => {
    const client = new Redis(server.port);
    client.defineCommand('runScript', { lua: 'return 1', numberOfKeys: 0 });

    expect(await called(client)).toEqual([]);
  });

  it.each([
    ['a prefix', () => new Redis(server.port, { keyPrefix: 'app:' })],
    ['stacks of their own', () => new Redis(server.port, { showFriendlyErrorStack: true })],
    ['pipelines of their own', () => new Redis(server.port, { enableAutoPipelining: true })],
  ])('is left to the functions of a client whose commands have %s', async (_what, connect) => {
    expect(await called(connect())).toEqual(['evalshaBuffer', 'evalshaBuffer']);
  });
});
