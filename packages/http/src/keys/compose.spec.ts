import { identityText } from '../../../core/src/limiter/keys/store-keys.js';
import type { Key } from '../../../core/src/model/identity.js';
import { createLimiter } from '../../../core/src/limiter/limiter.js';
import type { HttpRequest } from '../request/request.js';
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

  it('has an identity for each list of parts, with any contents', () => {
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

  it('has another identity for each nesting', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((text) => () => text) as [() => string, () => string, () => string];

    const texts = [compose(a, b, c), compose(compose(a, b), c), compose(a, compose(b, c))].map((key) =>
      identityText(key({}) as Key),
    );

    expect(new Set(texts).size).toBe(3);
  });

  it('waits only for async members', async () => {
    const ada = () => 'ada';
    const [slow, fast] = [compose<Login>(async ({ ip }) => ip!, ada), compose<Login>(({ ip }) => ip!, ada)];
    const composed = { kind: 'composed', parts: ['3:key9:192.0.2.1', '3:key3:ada'] };

    expect(fast({ ip: '192.0.2.1' })).toEqual(composed);
    await expect(slow({ ip: '192.0.2.1' })).resolves.toEqual(composed);
  });

  it('calls all members before it waits for one', () => {
    const first = jest.fn(() => new Promise<Key>(() => {}));
    const second = jest.fn(() => 'ada');

    void compose<object>(first, second)({});

    expect([first, second].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
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
    ['rejects', async () => Promise.reject(new Error('broken'))],
    ['returns an empty text', () => ''],
    ['returns undefined', () => undefined as unknown as Key],
    ['resolves to a fraction', async () => 1.5],
  ])('makes a limiter reject with UsageError when a member %s', async (_what, member) => {
    const limiter = createLimiter<object>({ name: 'pair', key: compose(() => 'ada', member), limit: 5, window: '1m' });
    const error = { name: 'UsageError', code: 'FUNCTION_FAILED' };

    await expect(async () => limiter.consume({})).rejects.toMatchObject(error);
  });
});
