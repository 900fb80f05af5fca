import { quotas } from '@sluice/quotas';
import { changesOf } from './changes.js';
import { readDocument } from '../document/read-document.js';
import { withValue } from '../document/with-value.js';

const text = `version: 1 # the first
limiters:
  api:
    tiers:
      - { name: minute, key: ip, limit: 600, window: 1m }
      # by plan
      - name: hour
        key: tenant
        limit: { free: 100, otherwise: null }
        window: 1h
`;

const read = (each: string) =>
  readDocument<never>('limits', each, { keys: {}, plans: undefined, features: [quotas], takesAnyName: true });
const changes = (before: string | undefined, after: string) =>
  changesOf(before === undefined ? undefined : read(before), read(after)).map(({ of, what, effect }) => [
    of,
    what,
    effect,
  ]);

describe('changesOf', () => {
  it('tells what keeps counts, and what begins with new ones', () => {
    const after = ['api.minute.limit=0', 'api.minute.window=60s', 'api.hour.window=2h', 'api.hour.enforce=50%'];

    expect(changes(text, after.reduce(withValue, text))).toEqual([
      ['api/minute', 'limit 600 → never', 'counts kept; immediately'],
      ['api/minute', 'window 1m → 60s', 'counts kept; immediately'],
      ['api/hour', 'window 1h → 2h', 'new counts; the old ones expire'],
      ['api/hour', 'enforce default → 50%', 'new counts; the old ones expire'],
    ]);
  });

  it.each([
    ['timeZone', '{ algorithm: fixed-window, period: day, limit: 5 }', 'Europe/Berlin'],
    ['period', '{ algorithm: fixed-window, period: day, limit: 5 }', 'month'],
    ['anchor', '{ algorithm: fixed-window, window: 1h, limit: 5 }', 'clock'],
    ['hold', '{ algorithm: concurrency, limit: 5 }', '1m'],
    ['burst', '{ algorithm: token-bucket, window: 1h, limit: 5 }', '9'],
    ['overdraft', '{ algorithm: token-bucket, window: 1h, limit: 5 }', '2'],
  ])('tells that %s begins with new counts', (option, options, value) => {
    const one = `version: 1\nlimiters: { api: { tiers: [${options.replace('{', '{ name: a, key: ip,')}] } }`;

    expect(changes(one, withValue(one, `api.a.${option}=${value}`)).map(([, , effect]) => effect)).toEqual([
      'new counts; the old ones expire',
    ]);
  });

  it('does not say that a balance expires', () => {
    const credits = 'version: 1\nlimiters: { api: { tiers: [{ name: a, key: ip, algorithm: balance }] } }';
    const kept = 'new counts; its credits stay in the store, and pay for nothing';

    expect(changes(credits, withValue(credits, 'api.a.algorithm=pause')).map(([, , effect]) => effect)).toEqual([kept]);
    expect(changes(credits, credits.replace('name: a', 'name: b')).at(-1)).toEqual(['api/a', 'removed', kept]);
  });

  it('does not know whether two keys that the code gives are the same identity', () => {
    const effects = ['user', 'ip'].map((key) => changes(text, text.replace('key: tenant', `key: ${key}`))[0]![2]);

    expect(effects).toEqual(Array(2).fill('new counts, unless both keys return the same identity'));
    expect(changes(text, text.replace('key: ip', 'key: api-key'))[0]![2]).toBe('new counts; the old ones expire');
  });

  it('tells why processes refuse a text', () => {
    const permits = text.replace(
      'window: 1m }',
      'window: 1m }\n      - { name: b, key: ip, algorithm: concurrency, limit: 5 }',
    );

    expect(changes(text, permits).at(-1)).toEqual([
      'processes',
      'refuse this text',
      expect.stringMatching(
        /^limits:6:\d+ tier "b": algorithm must not be "concurrency" in a limiter that began without it/,
      ),
    ]);
  });

  it('tells limits by plan in words', () => {
    expect(changes(text, text.replace('null', '7'))).toEqual([
      ['api/hour', 'limit free 100, otherwise not applied → free 100, otherwise 7', 'counts kept; immediately'],
    ]);
  });

  it('tells new, removed, renamed and moved tiers', () => {
    const renamed = text.replace('name: minute', 'name: burst');
    const moved = text.replace('  api:', '  web:');

    expect(changes(text, renamed)).toEqual([
      ['api/burst', 'new: key ip, limit 600, window 1m', 'begins with no counts'],
      ['api/minute', 'removed', 'its counts expire'],
    ]);
    expect(changes(text, moved).map(([of, what]) => `${of} ${what}`)).toEqual([
      'web/minute was api/minute',
      'web/hour was api/hour',
      'processes refuse this text',
    ]);
    expect(changes(undefined, text).map(([, , effect]) => effect)).toEqual(
      Array(2).fill('not known: no version before this one is in Redis'),
    );
    expect(changes(text, text)).toEqual([]);
  });

  it('tells other routes of a limiter, which change no count', () => {
    const routes = text + "    routes: ['POST /login', /api/*]\n";

    expect(changes(text, routes)).toEqual([
      ['api', 'routes not named → POST /login, /api/*', 'only tools read them; counts kept'],
    ]);
    expect(changes(undefined, routes)).toHaveLength(2);
  });

  it('counts overrides without an identity', () => {
    const override = "overrides:\n  - { tier: hour, identity: secret-client, limit: 5, reason: 'ticket 1' }\n";

    expect(changes(text, text + override)).toEqual([['overrides', '1 new, 0 gone', 'counts kept; immediately']]);
  });
});

describe('withValue', () => {
  it('keeps comments, and changes one value', () => {
    const changed = withValue(text, 'api.hour.limit={ free: 5, otherwise: 1 }');

    expect(changed).toContain('# the first');
    expect(changed).toContain('# by plan');
    expect(changed).toContain('limit: { free: 5, otherwise: 1 }');
    expect(withValue(withValue(text, 'api.minute.mode=off'), 'api.minute.mode=')).not.toContain('mode');
  });

  it.each(['api.minute', 'api.nowhere.limit=5', 'web.minute.limit=5', ''])('refuses %j', (assignment) => {
    expect(() => withValue(text, assignment)).toThrow(/^--set (must be LIMITER.TIER.OPTION=VALUE|names a tier)/);
  });
});
