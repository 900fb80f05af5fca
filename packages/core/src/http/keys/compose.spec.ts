import { identityText, type Key } from '../../model/identity.js';
import { createLimiter } from '../../limiter/limiter.js';
import type { HttpRequest } from '../request.js';
import { by } from './by.js';
import { compose } from './compose.js';
import { byIp } from './ip.js';

interface Login extends HttpRequest {
  readonly account?: unknown;
}

const byPair = compose<Login>(
  byIp(),
  by('account', ({ account }: Login) => account),
);

describe('compose', () => {
  it('has an identity for each combination of identities', () => {
    const logins = ['192.0.2.1', '192.0.2.2'].flatMap((ip) => ['ada', 'bob'].map((account) => ({ ip, account })));

    const texts = logins.map((login) => identityText(byPair(login) as Key));

    expect(new Set(texts).size).toBe(4);
    expect(identityText(byPair({ ip: '::ffff:192.0.2.1', account: 'ada' }) as Key)).toBe(texts[0]);
  });

  it('tells its parts apart, whatever is in them, and their order', () => {
    const of = (...parts: Key[]) => identityText(compose<object>(...parts.map((part) => () => part))({}) as Key);
    const texts = [
      of('a', 'bc'),
      of('ab', 'c'),
      of('c', 'ab'),
      of('a', 'b', 'c'),
      of('a:b', 'c'),
      of('a', 'b:c'),
      of('3:key1:a', '3:key2:bc'),
      of('3:key1:a3:key2:bc', 'c'),
      of('}{', '\0'),
      of('\ud800', 'a'),
      of('\ud801', 'a'),
      of({ kind: 'ip', parts: ['a'] }, 'bc'),
      of({ kind: 'key', parts: ['a', 'bc'] }, 'bc'),
    ];

    expect(new Set(texts).size).toBe(texts.length);
  });

  it('can be composed again, and nesting tells apart as well', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((text) => () => text) as [() => string, () => string, () => string];

    const texts = [compose(a, b, c), compose(compose(a, b), c), compose(a, compose(b, c))].map((key) =>
      identityText(key({}) as Key),
    );

    expect(new Set(texts).size).toBe(3);
  });

  it('waits for members that are async, and for none that is not', async () => {
    const slow = compose<Login>(
      async ({ ip }) => ip!,
      () => 'ada',
    );
    const fast = compose<Login>(
      ({ ip }) => ip!,
      () => 'ada',
    );
    const composed = { kind: 'composed', parts: ['3:key9:192.0.2.1', '3:key3:ada'] };

    expect(fast({ ip: '192.0.2.1' })).toEqual(composed);
    await expect(slow({ ip: '192.0.2.1' })).resolves.toEqual(composed);
  });

  it('asks all members before it waits for one', () => {
    const asked: string[] = [];
    const never = new Promise<Key>(() => {});

    void compose<object>(
      () => {
        asked.push('first');
        return never;
      },
      () => {
        asked.push('second');
        return 'ada';
      },
    )({});

    expect(asked).toEqual(['first', 'second']);
  });

  it('leaves no rejection unhandled when one member throws and others reject', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    const key = compose<object>(
      async () => Promise.reject(new Error('rejected first')),
      () => {
        throw new Error('thrown');
      },
      async () => Promise.reject(new Error('rejected last')),
    );

    await expect(key({})).rejects.toBeInstanceOf(Error);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);

    expect(unhandled).toEqual([]);
  });

  it.each<[string, () => Key | Promise<Key>]>([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['rejects', async () => Promise.reject(new Error('broken'))],
    ['returns no text', () => ''],
    ['returns nothing', () => undefined as unknown as Key],
    ['resolves to a number', async () => 5 as unknown as Key],
  ])('has the limiter reject with UsageError when a member %s', async (_what, member) => {
    const limiter = createLimiter<object>({ name: 'pair', key: compose(() => 'ada', member), limit: 5, window: '1m' });

    await expect(async () => limiter.consume({})).rejects.toMatchObject({
      name: 'UsageError',
      code: 'FUNCTION_FAILED',
    });
  });

  it.each<[unknown[], string]>([
    [[], 'an array of 0'],
    [[byIp()], 'an array of 1'],
    [[byIp(), undefined], 'undefined'],
    [[null, byIp()], 'null'],
    [[byIp(), 'account'], '"account"'],
    [[[byIp(), byIp()]], 'an array of 2'],
  ])('refuses the keys %p', (keys, shown) => {
    expect(() => compose(...(keys as (() => Key)[]))).toThrow(
      expect.objectContaining({
        code: 'KEY_INVALID',
        option: 'keys',
        message: `compose: keys must be two functions of the subject or more, got ${shown}`,
      }),
    );
  });
});
