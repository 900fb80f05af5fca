import assert from 'node:assert/strict';

import { SAMPLES, UNITS } from './samples.js';
import type { StoreTest } from './store-test.js';

/** Keys that an object inherits. */
const INHERITED = ['__proto__', 'constructor', 'hasOwnProperty'];

const ENDINGS = {
  nothing: '',
  'the name of a prototype': '__proto__',
  '10 kB': 'k'.repeat(10_000),
  braces: '}{}{',
  'a NUL': 'a\0b',
  'an emoji': '😀',
  'a line break': '\r\n',
  'a space': ' ',
  'a glob': '*?[a]',
} as const;

/** Tests of unusual keys. */
export function keyRules(test: StoreTest): void {
  for (const [name, ending] of Object.entries(ENDINGS)) {
    test(`may contain ${name}`, async (store, claimOf) => {
      const plain = claimOf('plain', SAMPLES['fixed-window']!, { cost: UNITS, record: 'seen' });
      const claim = { ...plain, key: `${plain.key}:${ending}` };

      const answers = [await store.consume([claim]), await store.consume([claim]), await store.consume([plain])];

      assert.deepEqual(
        answers.map(({ outcomes }) => outcomes[0]!.allowed),
        [true, false, true],
      );
      assert.deepEqual(await store.recorded(claim.key), ['seen']);
    });
  }

  test('have their own budgets, even when they are similar', async (store, claimOf) => {
    const plain = claimOf('tier', SAMPLES['sliding-window']!, { cost: UNITS });
    const group = Object.values(ENDINGS).map((ending, index) => ({
      ...plain,
      tier: `tier-${index}`,
      key: `${plain.key}:${ending}`,
    }));

    const { outcomes } = await store.consume(group);

    assert.ok(outcomes.every(({ allowed }) => allowed));
  });

  test('may have names that objects inherit', async (store, claimOf) => {
    for (const key of INHERITED) {
      const claim = claimOf('tier', SAMPLES['fixed-window']!, { key, cost: UNITS });
      await store.reset([key]);

      assert.equal((await store.peek([claim])).outcomes[0]!.remaining, UNITS);
      assert.equal((await store.consume([claim])).outcomes[0]!.allowed, true);
      assert.equal((await store.consume([claim])).outcomes[0]!.allowed, false);

      await store.reset([key]);
    }
  });

  test('may be reset when they are unused', async (store, claimOf) => {
    const { key } = claimOf('tier', SAMPLES['fixed-window']!);

    await store.reset([key, key]);
    await store.reset([]);

    assert.deepEqual(await store.recorded(key), []);
  });
}
