import {
  by,
  byApiKey,
  byHeader,
  byIp,
  byJwtSubject,
  compose,
  createLimiter,
  type HttpRequest,
  type Key,
} from '@sluice/http';
import { commandsDuring } from '../../support/monitor.js';
import { asciiJson, type RawRequest } from '../../support/raw-request.js';
import { apart, containsIdentity, LIMIT, onEveryStack, onOneRedis, onOneStack, together } from './hostile.js';
import { MARK, notTexts, texts, tooLong, unwritable, wordsOf } from './samples.js';

/** The size at which Node refuses the headers of a request. */
const headerTexts = tooLong.filter(({ length }) => length < 8_000);

const header = (name: string) => (value: string) => ({ lines: [`${name}: ${value}`] });
const target = (query: string) => ({ target: `/?${query}` });
const json = (value: unknown): RawRequest => ({ lines: [`X-Claims: ${asciiJson(value)}`] });

/** Any JSON in the place of a name. */
const account = by('account', ({ headers }: HttpRequest) => {
  const text = headers?.['x-claims'];
  return text === undefined ? undefined : (JSON.parse(String(text)) as { user?: unknown } | null)?.user;
});

describe('identities that a client invents', () => {
  onEveryStack((world) => {
    describe('in the header of byApiKey', () => {
      const [name, key] = ['X-Api-Key', byApiKey()] as const;
      const write = header(name);

      it('C45 have a budget each, under one key in Redis', async () => {
        const site = await world.open(key);

        expect(await site.spending([{}, ...texts.map(write)])).toEqual(apart(texts.length + 1));
        expect(await world.redis?.client.dbsize()).toBe(world.redis && texts.length + 1);
      });

      it('share a budget in every spelling of the header', async () => {
        const site = await world.open(key);
        const lines = [
          `${name}: ${MARK}`,
          `${name}:${MARK}`,
          `${name}: \t ${MARK} \t`,
          `${name.toUpperCase()}: ${MARK}`,
        ];

        expect(await site.spending(lines.map((line) => ({ lines: [line] })))).toEqual(together(lines.length));
      });

      it('share the budget of the address when they are too long or empty', async () => {
        const site = await world.open(key);
        const requests = [{}, ...['', ' ', '\t', ...headerTexts].map(write)];

        expect(await site.spending(requests)).toEqual(together(requests.length));
      });

      it('are the text of all lines when the header comes twice', async () => {
        const site = await world.open(key);
        const twice = { lines: [`${name}: ${MARK}`, `${name}: other`] };

        const spent = await site.spending([write(MARK), twice, write('other'), twice, write(`${MARK}, other`)]);

        expect(spent).toEqual([1, 1, 1, 2, 3]);
      });
    });

    it('have a budget for each pair when they are composed', async () => {
      const site = await world.open(compose(byHeader('x-one'), byHeader('x-other')));
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

    it('share the budget of the address without one text in the query', async () => {
      const site = await world.open(byApiKey({ query: 'key' }));
      const queries = [
        ...wordsOf(`
          key key= key=MARK&key=MARK key=MARK&key= KEY=MARK key[]=MARK key[]=MARK#fragment key[]=MARK#key=MARK
          key[0]=MARK key[toString]=x key[__proto__]=x __proto__=x __proto__[key]=x
          constructor[prototype][key]=x &&&=== %zz %00
        `).map((query) => query.replaceAll('MARK', MARK)),
        '',
        `key=${'x'.repeat(513)}`,
      ];

      expect(await site.spending([{}, ...queries.map(target)])).toEqual(together(queries.length + 1));
    });

    it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length'])(
      'are no members that every query object inherits: %s',
      async (query) => {
        const site = await world.open(byApiKey({ query }));

        expect(await site.spending([{}, target('x=y'), target(`a[${query}]=b`)])).toEqual(together(3));
      },
    );

    it('share a budget in every spelling of a query', async () => {
      const site = await world.open(byApiKey({ query: 'key' }));
      const spellings = ['key=a%20b', 'key=a+b', 'k%65y=%61%20b', '&key=a+b&other=1', 'x&key=a+b'];
      const others = ['key=a', 'key=%00', 'key=a%00', 'key=%7B%7D', 'key=__proto__', 'key=%F0%9F%90%B4'];

      const one = await site.spending(spellings.map(target));
      const each = await site.spending(others.map(target));

      expect([one, each]).toEqual([together(spellings.length), apart(others.length)]);
    });
  });

  onOneStack((world) => {
    it('share the budget of the address when a function finds no text', async () => {
      const site = await world.open(account);
      const values = [
        ...notTexts.filter((value) => typeof value !== 'number'),
        [MARK],
        1.5,
        2 ** 53,
        '',
        'x'.repeat(1_000),
      ].map((user) => ({ user }));
      const others = [[], null, true, 7, MARK, { ['__proto__']: { user: MARK } }, [{ user: MARK }]];

      const spent = await site.spending([{}, ...[...values, ...others].map(json)]);

      expect(spent).toEqual(together(values.length + others.length + 1));
    });

    it('share a budget as a number and as its text', async () => {
      const site = await world.open(account);
      const others = ['07', '7 ', '7.0', -7, '\u0000', '7\u0000', '\ud83d', '\udc34', '{}', '__proto__'];

      const one = await site.spending(['7', 7].map((user) => json({ user })));
      const each = await site.spending(others.map((user) => json({ user })));

      expect([one, each]).toEqual([together(2), apart(others.length)]);
    });

    it('C45 have a budget for each subject and issuer of verified claims', async () => {
      const site = await world.open(byJwtSubject());
      const subjects = [...texts, ...unwritable, 'a:b', 'ab'].map((sub) => ({ sub }));
      const issued = [
        { iss: 'a', sub: 'b' },
        { iss: 'a', sub: ':b' },
        { iss: 'a:', sub: 'b' },
        { iss: '1:a', sub: 'b' },
        { iss: '\ud83d', sub: '\udc34' },
        { iss: '\udc34', sub: '\ud83d' },
        { iss: '{}', sub: '{}' },
        { iss: '__proto__', sub: '__proto__' },
      ];

      const spent = await site.spending([{}, ...[...subjects, ...issued].map(json)]);

      expect(spent).toEqual(apart(subjects.length + issued.length + 1));
      expect(await world.redis?.client.dbsize()).toBe(world.redis && spent.length);
    });

    it('share the budget of the address when subject or issuer is no text', async () => {
      const site = await world.open(byJwtSubject());
      const claims = [
        ...[...notTexts, '', ...tooLong.slice(0, 2)].map((sub) => ({ sub, iss: MARK })),
        ...[[MARK], { [MARK]: MARK }, true, 'x'.repeat(513)].map((iss) => ({ iss, sub: MARK })),
        {},
        [],
        [MARK],
        null,
        7,
        MARK,
        { SUB: MARK },
      ];

      expect(await site.spending([{}, ...claims.map(json)])).toEqual(together(claims.length + 1));
    });
  });

  it('have a budget each when functions return them', async () => {
    const limiter = createLimiter<Key>({ key: (key) => key, algorithm: 'fixed-window', limit: LIMIT, window: '1h' });
    const all = [...texts, ...unwritable, ...tooLong, 'x'.repeat(1_000_000)];
    const kinds = ['api-key', 'ip', '__proto__', '{}', '\u0000', '\ud83d'];
    const keys: Key[] = [...all, ...kinds.flatMap((kind) => all.map((text) => ({ kind, parts: [text] })))];

    const remaining = await Promise.all(keys.map(async (key) => (await limiter.consume(key)).outcomes[0]!.remaining));

    expect(new Set(remaining)).toEqual(new Set([LIMIT - 1]));
  });

  onOneRedis((world) => {
    it('never go over the wire to Redis, nor does the secret', async () => {
      const secret = 'a secret of the application';
      const keys = [byApiKey(), byJwtSubject(), compose(byIp(), byApiKey()), () => MARK];
      const tiers = keys.map((key, index) => ({ name: `hostile-${index}`, key, limit: LIMIT, window: '1h' as const }));
      const site = await world.open(undefined, { routes: [{ path: '/', limits: [{ secret, tiers }] }] });

      const commands = await commandsDuring(world.redis!.server, () =>
        site.spending(texts.map((text) => ({ lines: [`X-Api-Key: ${text}`, ...json({ sub: text }).lines!] }))),
      );

      const sent = commands.flatMap(({ arguments: each }) => each);
      expect(commands.length).toBeGreaterThan(texts.length);
      expect(
        sent.filter((text) => containsIdentity(text) || text.includes('127.0.0.1') || text.includes(secret)),
      ).toEqual([]);
    });
  });
});
