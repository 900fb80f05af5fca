import { by, byApiKey } from '@sluice/express';
import express, { type Request } from 'express';
import { MARK } from './traces.js';
import { apart, inEveryWorld, together } from './worlds.js';

const account = by('account', ({ body }: Request) => (body as { user?: unknown } | undefined)?.user);
const body = (text: string) => ({ body: text });
const target = (query: string) => ({ target: `/?${query}` });

describe('What is no text where text is expected', () => {
  inEveryWorld((world) => {
    it('is no API key in a query: its sender counts by address', async () => {
      const site = await world.open({ key: byApiKey({ query: 'key' }) });
      const queries = [
        '',
        'key',
        'key=',
        `key=${MARK}&key=${MARK}`,
        `key=${MARK}&key=`,
        `key=${'x'.repeat(513)}`,
        `KEY=${MARK}`,
        '__proto__=x',
        '__proto__[key]=x',
        'constructor[prototype][key]=x',
        '&&&===',
        '%zz',
        '%00',
      ];

      const spent = await site.spending([{}, ...queries.map(target)]);

      expect(spent).toEqual(together(queries.length + 1));
    });

    it('is no API key as an object in a query, or is a field of another name', async () => {
      const site = await world.open({ key: byApiKey({ query: 'key' }) });
      const queries = [
        `key[]=${MARK}`,
        `key[0]=${MARK}`,
        `key[a]=${MARK}`,
        `key[__proto__]=x`,
        'key[toString]=x',
        'key[length]=1',
      ];

      const spent = await site.spending([{}, ...queries.map(target)]);

      expect(spent).toEqual(together(queries.length + 1));
    });

    it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length'])(
      'is nothing that a query has by nature, such as %s',
      async (query) => {
        const site = await world.open({ key: byApiKey({ query }) });

        const spent = await site.spending([{}, target('x=y'), target(`a[${query}]=b`)]);

        expect(spent).toEqual(together(3));
      },
    );

    it('is told from text in a query, which has a bucket in every spelling', async () => {
      const site = await world.open({ key: byApiKey({ query: 'key' }) });
      const spellings = ['key=a%20b', 'key=a+b', 'k%65y=%61%20b', '&key=a+b&other=1', 'key=a%20b#', 'x&key=a+b'];
      const others = [
        'key=a',
        'key=%00',
        'key=a%00',
        'key=%7B%7D',
        'key=__proto__',
        'key=%F0%9F%90%B4',
        'key=%ED%A0%BD',
      ];

      const one = await site.spending(spellings.map(target));
      const each = await site.spending(others.map(target));

      expect(one).toEqual(together(spellings.length));
      expect(each).toEqual(apart(others.length));
    });

    it('is no account in a body: its sender counts by address', async () => {
      const site = await world.open({ key: account, before: [express.json({ strict: false })] });
      const bodies = [
        '{}',
        '[]',
        'null',
        'true',
        '7',
        `"${MARK}"`,
        `{"user":["${MARK}"]}`,
        `{"user":["${MARK}","${MARK}"]}`,
        `{"user":{"$gt":""}}`,
        `{"user":{"toString":"${MARK}"}}`,
        `{"user":{"length":1,"0":"a"}}`,
        '{"user":null}',
        '{"user":true}',
        '{"user":1.5}',
        '{"user":1e999}',
        '{"user":-1e999}',
        '{"user":9007199254740993}',
        '{"user":""}',
        `{"user":"${'x'.repeat(10_240)}"}`,
        `{"__proto__":{"user":"${MARK}"}}`,
        `{"constructor":{"prototype":{"user":"${MARK}"}}}`,
        `[{"user":"${MARK}"}]`,
      ];

      const spent = await site.spending([{}, ...bodies.map(body)]);

      expect(spent).toEqual(together(bodies.length + 1));
    });

    it('is told from text in a body, which has a bucket in every spelling', async () => {
      const site = await world.open({ key: account, before: [express.json()] });
      const spellings = [
        '{"user":"7"}',
        '{"user":7}',
        '{"user":7.0}',
        '{"user":70e-1}',
        '{"user":"\\u0037"}',
        '{"user":1,"user":"7"}',
      ];
      const others = [
        '"07"',
        '"7 "',
        '"7.0"',
        '-7',
        '"\\u0000"',
        '"7\\u0000"',
        '"\\ud83d"',
        '"\\udc34"',
        '"{}"',
        '"__proto__"',
      ];

      const one = await site.spending(spellings.map(body));
      const each = await site.spending(others.map((user) => body(`{"user":${user}}`)));

      expect(one).toEqual(together(spellings.length));
      expect(each).toEqual(apart(others.length));
    });
  });
});
