import { isIP } from 'node:net';
import { byHeader } from '@sluice/http';
import * as fc from 'fast-check';
import { onEveryStack } from './hostile.js';

/** Bytes that a header may have; most are not letters. */
const bytes = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCodePoint(code === 0x7f ? 0x09 : code)),
  maxLength: 80,
});
/** A few texts, so that some repeat, with space around them. */
const words = fc
  .tuple(
    fc.constantFrom('', ' ', '\t', ' \t '),
    fc.constantFrom('a', 'A', '{}', '}{', 'a:', ':a', '__proto__', '\u00e4'),
  )
  .map(([space, word]) => space + word + space);

const octets = fc.tuple(...[1, 2, 3, 4].map(() => fc.integer({ min: 0, max: 3 })));
/** A few IPv4 addresses, each spelt in several ways. */
const addresses = octets.chain(([a = 0, b = 0, c = 0, d = 0]) => {
  const dotted = `${a}.${b}.${c}.${d}`;
  const mapped = `::ffff:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  const spellings = [
    dotted,
    `${dotted}:80`,
    `"${dotted}"`,
    `::ffff:${dotted}`,
    `::FFFF:${dotted}`,
    mapped,
    `[${mapped}]:80`,
  ];
  return fc.record({ text: fc.constantFrom(...spellings), identity: fc.constant(dotted) });
});

const RUNS = { numRuns: 12 };

describe('random bytes', () => {
  onEveryStack((world) => {
    // identities.spec.ts has an API key in its place.
    it('have the budget of their text without the space around it, in a header', async () => {
      const site = await world.open(byHeader('x-tenant'));
      const budgets = new Budgets();
      const values = fc.array(fc.oneof(bytes, words), { minLength: 1, maxLength: 5 });

      const property = fc.asyncProperty(values, async (texts) => {
        const expected = texts.map((text) => budgets.spend(text.replaceAll(/^[ \t]+|[ \t]+$/g, '')));
        const spent = await site.spending(texts.map((text) => ({ lines: [`X-Tenant: ${text}`] })));

        expect(spent).toEqual(expected);
      });

      await fc.assert(property, RUNS);
    });

    it('have the budget of all unreadable addresses, as a forwarded address', async () => {
      const site = await world.open();
      const budgets = new Budgets();
      // A no-break space is no space in HTTP. Fastify takes a value of nothing else for empty.
      const empty = world.stack.name.includes('Fastify') ? /^\s+$/ : /^[ \t]+$/;
      const identityOf = (text: string) =>
        empty.test(text) || lastOf(text) === undefined ? '127.0.0.1' : 'unreadable';
      const noise = bytes
        .map((text) => ({ text, identity: identityOf(text) }))
        .filter(({ text }) => isIP((lastOf(text) ?? '').replaceAll(/["[\]\s]|%.*/g, '')) === 0);
      const forwarded = fc.array(fc.oneof(noise, addresses), { minLength: 1, maxLength: 5 });

      const property = fc.asyncProperty(forwarded, async (sent) => {
        const expected = sent.map(({ identity }) => budgets.spend(identity));
        const spent = await site.spending(sent.map(({ text }) => ({ lines: [`X-Forwarded-For: ${text}`] })));

        expect(spent).toEqual(expected);
      });

      await fc.assert(property, { ...RUNS, examples: [[[{ text: '\u00a0', identity: identityOf('\u00a0') }]]] });
    });
  });
});

/** The last entry of a proxy. */
function lastOf(text: string): string | undefined {
  return text
    .split(',')
    .map((part) => part.replaceAll(/^[ \t]+|[ \t]+$/g, ''))
    .findLast((part) => part !== '');
}

/** A count for each identity: the model of budgets. */
class Budgets {
  readonly #spent = new Map<string, number>();

  spend(identity: string): number {
    const spent = (this.#spent.get(identity) ?? 0) + 1;
    this.#spent.set(identity, spent);
    return spent;
  }
}
