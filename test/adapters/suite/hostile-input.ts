import { byApiKey, by, byJwtSubject, type HttpRequest } from '@sluice/core';
import { noTexts, texts, tooLong } from '../../security/requests/made-up.js';
import { ask, asciiJson, type RawRequest } from '../../security/requests/raw-request.js';
import { newAddress, newName } from '../visitors.js';
import { siteOf, type World } from '../world.js';

/** More than any test asks for. */
const hour = { limit: 10_000, window: '1h' } as const;

/** Claims as a verified token would have them: any JSON. */
const claims = ({ headers }: HttpRequest): unknown => {
  const told = headers?.['x-claims'];
  return told === undefined ? undefined : JSON.parse(String(told));
};

export function hostileInput(world: World): void {
  describe('hostile input', () => {
    const site = siteOf(world, () => ({
      routes: [
        { path: '/address', limits: [{ ...hour, name: 'address' }] },
        { path: '/key', limits: [{ ...hour, name: 'key', key: byApiKey({ query: 'key' }) }] },
        {
          path: '/function',
          limits: [{ ...hour, name: 'function', key: by('name', ({ headers }) => headers?.['x-name']) }],
        },
        { path: '/subject', claims, authenticated: [{ ...hour, name: 'subject', key: byJwtSubject() }] },
      ],
    }));

    /** What the budget of each request has spent then, or the status of a request that was not let through. */
    const spending = async (target: string, requests: readonly RawRequest[]) => {
      const spent: number[] = [];
      for (const request of requests) {
        const answer = await ask(site.port, { target, ...request });
        spent.push(answer.status === 200 ? answer.spent : answer.status);
      }
      return spent;
    };
    const forwarded = (address: string, ...lines: string[]) => ({
      lines: [`X-Forwarded-For: ${address}`, ...lines],
    });

    it('has a budget for each API key, whatever is in it', async () => {
      const name = newName();
      // What stands before keeps budgets of other tests out.
      const keys = texts.map((text) => `${name}${text}`).filter((key) => key.length <= 512);

      const once = await spending(
        '/key',
        keys.map((key) => ({ lines: [`X-Api-Key: ${key}`] })),
      );
      const twice = await spending(
        '/key',
        keys.map((key) => ({ lines: [`X-Api-Key: ${key}`] })),
      );

      expect(once).toEqual(keys.map(() => 1));
      expect(twice).toEqual(keys.map(() => 2));
    });

    it('counts by the address where an API key is too long or empty', async () => {
      const address = newAddress();
      const keys = ['', ...tooLong.filter((text) => text.length < 8_000)];

      const spent = await spending(
        '/key',
        keys.map((key) => forwarded(address, `X-Api-Key: ${key}`)),
      );

      expect(spent).toEqual(keys.map((_key, index) => index + 1));
    });

    it('counts by the address where the query has no text of that name', async () => {
      const address = newAddress();
      const queries = [
        '',
        'key',
        'key=',
        'key=a&key=b',
        `key=${'x'.repeat(513)}`,
        '__proto__=x',
        '%zz',
        '&&&===',
        '%00',
      ];

      const spent = await spending(
        '',
        queries.map((query) => ({ ...forwarded(address), target: `/key?${query}` })),
      );

      expect(spent).toEqual(queries.map((_query, index) => index + 1));
    });

    it('has one budget for a key in the query in every spelling', async () => {
      const name = newName();
      const queries = [
        `key=${name}`,
        `k%65y=${name}`,
        `&key=${name}&a=b`,
        `key=%${name.charCodeAt(0).toString(16)}${name.slice(1)}`,
      ];

      const spent = await spending(
        '',
        queries.map((query) => ({ target: `/key?${query}` })),
      );

      expect(spent).toEqual([1, 2, 3, 4]);
    });

    it('has one budget for all whose forwarded address is none', async () => {
      const spoofs = [
        '',
        ' ',
        'unknown',
        'garbage<script>',
        '_hidden',
        'a'.repeat(64),
        '1.2.3',
        '01.2.3.4',
        '999.1.1.1',
        '::g',
        '{}',
      ];

      const spent = await spending(
        '/address',
        spoofs.slice(2).map((spoof) => forwarded(spoof)),
      );

      const [first] = spent;
      expect(spent).toEqual(spent.map((_units, index) => first! + index));
    });

    it('reads an address with a port, a zone or quotes as the address', async () => {
      const address = newAddress();
      const spellings = [
        address,
        `${address}:51234`,
        `"${address}"`,
        `[::ffff:${address}]:443`,
        `::ffff:${address}%eth0`,
      ];

      const spent = await spending(
        '/address',
        spellings.map((spelling) => forwarded(spelling)),
      );

      expect(spent).toEqual([1, 2, 3, 4, 5]);
    });

    it('buys no budget by what else it says of itself', async () => {
      const address = newAddress();
      const lines = [
        [],
        ['X-Real-IP: 1.2.3.4'],
        ['Forwarded: for=1.2.3.4'],
        ['CF-Connecting-IP: 1.2.3.4'],
        ['X-Forwarded-Host: evil.example'],
        ['X_Forwarded_For: 1.2.3.4'],
        ['User-Agent: other'],
        ['X-HTTP-Method-Override: POST'],
        ['__proto__: x', 'constructor: y'],
      ];

      const spent = await spending(
        '/address',
        lines.map((each) => forwarded(address, ...each)),
      );

      expect(spent).toEqual(lines.map((_line, index) => index + 1));
    });

    it('buys no budget by the spelling of the target', async () => {
      const address = newAddress();
      const targets = [
        '/address',
        '/address?',
        '/address?a=b',
        '/address?__proto__[a]=b',
        'http://evil.example/address',
      ];

      const spent = await spending(
        '',
        targets.map((target) => ({ ...forwarded(address), target })),
      );

      expect(spent).toEqual(targets.map((_target, index) => index + 1));
    });

    it('counts by the address where verified claims have no text for a subject', async () => {
      const address = newAddress();
      const bodies = [...noTexts.map((sub) => ({ sub })), ...noTexts, ...tooLong.slice(0, 2).map((sub) => ({ sub }))];

      const spent = await spending(
        '/subject',
        bodies.map((body) => forwarded(address, `X-Claims: ${asciiJson(body)}`)),
      );

      expect(spent).toEqual(bodies.map((_body, index) => index + 1));
    });

    it('has a budget for each subject, whatever is in it', async () => {
      const name = newName();
      const subjects = ['', '\u0000', '\n', '{}', ':', '\u{1f434}', '\ud83d', '__proto__'].map(
        (end) => `${name}${end}`,
      );

      const spent = await spending(
        '/subject',
        subjects.map((sub) => ({ lines: [`X-Claims: ${asciiJson({ sub })}`] })),
      );

      expect(spent).toEqual(subjects.map(() => 1));
    });

    it('is no error', () => {
      expect(site.errors).toEqual([]);
    });
  });
}
