import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fair } from '@sluice/overload/fair';
import { lines } from '@sluice/overload/line';
import { algorithms } from '@sluice/metrics/operations';
import { quotas } from '@sluice/quotas';
import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import { root } from '../../../../scripts/root.mjs';
import { limitsSchema } from './limits-schema.js';
import { readDocument } from './read-document.js';

const validate = new Ajv({ strict: false }).compile(limitsSchema());

function isRead(document: unknown): boolean {
  try {
    readDocument('limits', JSON.stringify(document), {
      keys: {},
      plans: undefined,
      features: [quotas, fair, lines],
      takesAnyName: true,
    });
    return true;
  } catch {
    return false;
  }
}

/** A tier of each algorithm with all of its options that go together. */
const TIERS: Readonly<Record<string, object>> = {
  'fixed-window': { limit: 5, window: '1h', anchor: 'clock' },
  'sliding-window': { limit: 100, window: 60_000, precision: 10, strict: true },
  'sliding-window-log': { limit: 5, window: '1m', line: { longest: '5m', keep: '2s', by: 'ip' } },
  'token-bucket': { limit: 5, window: '1m', burst: 9, overdraft: 3 },
  gcra: { limit: 5, window: '1m', burst: 9 },
  'leaky-bucket': { limit: 5, window: '1s', queue: 2 },
  'multi-window': {
    windows: [
      { limit: 5, window: '1s' },
      { limit: 50, window: '1m' },
    ],
  },
  concurrency: { limit: 5, hold: '30s', fair: { by: 'ip', weight: { pro: 3, otherwise: 1 } } },
  backoff: { limit: 3, window: '1h', delays: ['1s', '10s'], lockAt: 5, forgive: 'one' },
  pause: {},
  balance: {},
};
const SHARED: readonly object[] = [
  {},
  { mode: 'off' },
  { enforce: '12.5%' },
  { onStoreFailure: 'deny' },
  { limit: null },
  { limit: 0 },
  { limit: { free: 3, pro: null, otherwise: 0 } },
  // What neither takes.
  { mode: 'on' },
  { enforce: 10 },
  { limit: -1 },
  { limit: 1.5 },
  { limit: '5' },
  { limit: { free: 3 } },
  { limit: { free: 'x', otherwise: 1 } },
  { window: '1y' },
  { window: true },
  { windw: '1m' },
  { period: 'fortnight', window: undefined },
  { record: 'x' },
  { charge: 'some' },
  { unit: 'Tokens' },
  { key: 5 },
  { key: '' },
  { name: null },
  { name: undefined },
  { algorithm: 'bucket' },
  { queue: -1 },
  { strict: 'yes' },
  { line: true },
  { line: { keep: '2s' } },
  { line: { longest: '5m', until: '1m' } },
  { precision: 251 },
];
const tier = fc
  .tuple(fc.constantFrom(...Object.entries(TIERS)), fc.constantFrom(...SHARED))
  .map(([[algorithm, own], shared]) => ({ name: 'a', key: 'ip', algorithm, ...own, ...shared }));
const override = fc.record(
  {
    tier: fc.constant('a'),
    identity: fc.constantFrom<unknown>('acme', 5, { kind: 'ip', parts: ['192.0.2.1'] }, '', null, { kind: 'ip' }),
    limit: fc.constantFrom<unknown>(0, null, -1, 'x'),
    reason: fc.constantFrom('ticket 1', ''),
    by: fc.constantFrom('ada', ''),
    until: fc.constantFrom<unknown>('2027-01-31', 1_900_000_000_000, true),
    other: fc.constant(1),
  },
  { requiredKeys: ['tier', 'identity', 'limit'] },
);
const routes = fc.constantFrom<object>(
  ...[[], ['/a'], ['POST /a/*', '/b*/c'], ['/a', 'b'], ['/a**'], ['/a?b'], [5], '/a', ['post /a'], ['/a b']].map(
    (each) => ({ routes: each }),
  ),
  {},
  {},
  { route: ['/a'] },
);

describe('limits.schema.json', () => {
  it('is made from the options of code', () => {
    const text = readFileSync(join(root, 'packages', 'policies', 'limits.schema.json'), 'utf8');

    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(limitsSchema())));
    expect(Object.keys(TIERS)).toEqual(expect.arrayContaining(algorithms().map(({ name }) => name)));
  });

  it.each([...Object.entries(TIERS), ['concurrency', { limit: 5, hold: '30s', wait: '1s', queue: 3 }] as const])(
    'takes a tier with all options of %s, as the loader does',
    (algorithm, own) => {
      const document = { version: 1, limiters: { api: { tiers: [{ name: 'a', key: 'ip', algorithm, ...own }] } } };

      expect([isRead(document), validate(document)]).toEqual([true, true]);
    },
  );

  it('takes what the loader takes, and refuses other options, types and names as the loader does', () => {
    const documents = fc.record({
      version: fc.constantFrom<unknown>(1, 1, 1, 2, '1'),
      limiters: fc.tuple(tier, routes).map(([each, ways]) => ({ api: { tiers: [each], ...ways } })),
      overrides: fc.option(fc.array(override, { maxLength: 1 }), { nil: undefined }),
    });

    const { counterexample } = fc.check(
      fc.property(documents, (document) => isRead(document) === validate(JSON.parse(JSON.stringify(document)))),
      { numRuns: 300 },
    );

    expect(counterexample).toBeNull();
  });
});
