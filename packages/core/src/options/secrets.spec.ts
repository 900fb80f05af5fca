import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { createGate } from '../../../http/src/gate/gate.js';
import { byApiKey } from '../../../http/src/keys/api-key.js';
import { byIp } from '../../../http/src/keys/ip.js';
import { createLimiter } from '../limiter/limiter.js';
import { memoryStore } from '../stores/memory/memory-store.js';
import { redisStore } from '../../../redis/src/redis-store.js';

const SECRET = 'hunter2';
const URL = `redis://user:${SECRET}@host:6379`;
const one = { name: 'one', key: () => 'ada', limit: 1, window: '1m' };

/** Functions that read options. */
const readers: Readonly<Record<string, (options: never) => unknown>> = {
  createLimiter,
  createGate,
  memoryStore,
  redisStore,
  byIp,
  byApiKey,
};

/** Objects and URLs, which no option of this package shows. */
const values = fc.constantFrom<unknown>(URL, [URL], { url: URL, password: SECRET }, { headers: { cookie: SECRET } });
const anyValue = fc.oneof(values, fc.constant(SECRET), fc.constant(new Map([[SECRET, SECRET]])));
const known = [
  ...'limit window key name algorithm precision strict cost prefix onStoreFailure share denyCache'.split(' '),
  ...'lease tiers headers skip onDenied deadline maxKeys clock header'.split(' '),
];
const knownNames = fc.constantFrom(...known);
const unknownNames = fc.oneof(
  fc.constantFrom('redis', 'secrets', 'client', 'password', 'keyGenerator', 'message', 'handler'),
  // fast-check likes names of JavaScript, and one of them is an option: key.
  fc.string({ minLength: 1, maxLength: 12 }).filter((name) => !known.includes(name)),
);
const secretNames = fc.constantFrom('secret', 'store', 'limiter', 'partition');

/** The error of options; undefined for options that are accepted. */
function errorOf(make: () => unknown): unknown {
  try {
    const made = make() as { close?: () => unknown } | undefined;
    // A store that was made may hold a connection.
    made?.close?.();
    return undefined;
  } catch (error) {
    return error;
  }
}

function textsOf(error: unknown): string {
  return [inspect(error, { depth: 9 }), String(error), JSON.stringify(error)].join();
}

describe('an error of an option', () => {
  it.each([
    ['that does not exist', unknownNames, anyValue],
    ['that exists', knownNames, values],
    ['that may be secret', secretNames, anyValue],
  ] as const)('%s shows no secret in its message, its value or its inspection', (_, names, given) => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(readers)), names, given, (reader, name, value) => {
        const options = { ...(reader.startsWith('create') && one), [name]: value };

        expect(textsOf(errorOf(() => readers[reader]!(options as never)))).not.toContain(SECRET);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    [
      'a request instead of options',
      { headers: { authorization: `Bearer ${SECRET}`, cookie: `sid=${SECRET}` }, socket: {} },
    ],
    ['a URL instead of a store', { ...one, store: URL }],
    ['an object instead of a store', { ...one, store: { url: URL } }],
  ])('shows no secret of %s', (_, options) => {
    for (const read of [createLimiter, createGate] as ((options: never) => unknown)[]) {
      const thrown = errorOf(() => read(options as never));

      expect(thrown).toMatchObject({ name: 'ConfigError' });
      expect(textsOf(thrown)).not.toContain(SECRET);
    }
  });
});
