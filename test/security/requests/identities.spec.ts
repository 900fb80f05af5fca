import { byApiKey, byHeader, bySession, compose, createLimiter, type Key } from '@sluice/express';
import type { RequestHandler } from 'express';
import { texts, tooLong, unwritable } from './made-up.js';
import { LIMIT } from './site.js';
import { MARK } from './traces.js';
import { apart, inEveryWorld, together } from './worlds.js';

const header = (name: string) => (value: string) => ({ lines: [`${name}: ${value}`] });

describe('Identities that a client makes up', () => {
  inEveryWorld((world) => {
    describe.each([
      ['byApiKey', 'X-Api-Key', byApiKey()],
      ['byHeader', 'X-Tenant', byHeader('x-tenant')],
    ])('in the header of %s', (_identity, name, key) => {
      const write = header(name);

      it('have a bucket each, and one key of Redis', async () => {
        const site = await world.open({ key });

        const spent = await site.spending([{}, ...texts.map(write)]);

        expect(spent).toEqual(apart(texts.length + 1));
        expect([texts.length + 1, undefined]).toContain(await world.keys());
      });

      it('have one bucket with space around them, and under a name in any case', async () => {
        const site = await world.open({ key });
        const lines = [
          `${name}: ${MARK}`,
          `${name}:${MARK}`,
          `${name}: \t ${MARK} \t`,
          `${name.toUpperCase()}: ${MARK}`,
        ];

        const spent = await site.spending(lines.map((line) => ({ lines: [line] })));

        expect(spent).toEqual(together(lines.length));
      });

      it('share the bucket of the address when they are too long or empty', async () => {
        const site = await world.open({ key });
        const requests = [{}, ...['', ' ', '\t', ...tooLong].map(write)];

        const spent = await site.spending(requests);

        expect(spent).toEqual(together(requests.length));
        expect([1, undefined]).toContain(await world.keys());
      });

      it('are one that is told by all lines, when the header comes several times', async () => {
        const site = await world.open({ key });
        const twice = { lines: [`${name}: ${MARK}`, `${name}: other`] };

        const spent = await site.spending([write(MARK), twice, write('other'), twice, write(`${MARK}, other`)]);

        expect(spent).toEqual([1, 1, 1, 2, 3]);
      });

      it('are refused by Node with bytes that no header may have', async () => {
        const site = await world.open({ key });

        const spent = await site.spending([write(`${MARK}\u0000`), write('\u0000'), write(`${MARK}\u0007`)]);

        expect(spent).toEqual([400, 400, 400]);
        expect(site.served).toBe(0);
      });
    });

    it('have one bucket under authorization, whatever scheme stands before them', async () => {
      const site = await world.open({ key: byApiKey({ header: 'Authorization' }) });
      const values = [`Bearer ${MARK}`, `bearer ${MARK}`, `BEARER \t ${MARK}  `, `Token ${MARK}`];
      const twice = { lines: [`Authorization: Bearer ${MARK}`, 'Authorization: Bearer other'] };

      const spent = await site.spending([...values.map(header('Authorization')), twice]);

      expect(spent).toEqual(together(values.length + 1));
    });

    it('are those of a session only where a cookie brings them, whatever is in it', async () => {
      const site = await world.open({ key: bySession(), before: [openSession] });
      const session = (id: string, cookie: string) => ({ lines: [`Cookie: sid=${cookie}`, `X-Session: ${id}`] });
      const madeNow = ['fresh-one', 'fresh-two', 'x'.repeat(513)];

      const brought = await site.spending([{}, ...texts.map((id) => session(id, encodeURIComponent(id)))]);
      const signed = await site.spending([session(MARK, encodeURIComponent(`s:${MARK}.${MARK}`))]);
      const made = await site.spending(madeNow.map((id) => session(id, `x${id}`)));

      expect(brought).toEqual(apart(texts.length + 1));
      expect(signed).toEqual([2]);
      expect(made).toEqual(together(madeNow.length, 1));
    });

    it('are told apart where they are composed', async () => {
      const site = await world.open({ key: compose(byHeader('x-one'), byHeader('x-other')) });
      const pairs = [
        ['a', 'b'],
        ['ab', ''],
        ['', 'ab'],
        ['a:', 'b'],
        ['a', ':b'],
        ['b', 'a'],
        ['6:header5:x-one1:a', 'b'],
        ['{', '}'],
      ];

      const spent = await site.spending(
        pairs.map(([one, other]) => ({ lines: [`X-One: ${one}`, `X-Other: ${other}`] })),
      );

      expect(spent).toEqual(apart(pairs.length));
    });
  });

  it('have a bucket each where functions tell them', async () => {
    const limiter = createLimiter<Key>({ key: (key) => key, algorithm: 'fixed-window', limit: LIMIT, window: '1h' });
    const all = [...texts, ...unwritable, ...tooLong, 'x'.repeat(1_000_000)];
    const kinds = ['api-key', 'ip', '__proto__', '{}', '\u0000', '\ud83d'];
    const keys: Key[] = [...all, ...kinds.flatMap((kind) => all.map((text) => ({ kind, parts: [text] })))];

    const left = await Promise.all(keys.map(async (key) => (await limiter.consume(key)).outcomes[0]!.remaining));

    expect(new Set(left)).toEqual(new Set([LIMIT - 1]));
  });
});

const openSession: RequestHandler = (request, _response, next) => {
  Object.assign(request, { session: { id: request.get('x-session') } });
  next();
};
