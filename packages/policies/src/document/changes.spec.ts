import { changesOf } from './changes.js';
import { readDocument } from './read-document.js';
import { withValue } from './with-value.js';

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

const read = (each: string) => readDocument<never>('limits', each, { keys: {}, plans: undefined, takesAnyName: true });
const changes = (before: string | undefined, after: string) =>
  changesOf(before === undefined ? undefined : read(before), read(after)).map(({ of, what, effect }) => [
    of,
    what,
    effect,
  ]);

describe('changesOf', () => {
  it('tells what keeps counts, and what begins with new ones', () => {
    const after = ['api.minute.limit=0', 'api.hour.window=2h', 'api.hour.enforce=50%'].reduce(withValue, text);

    expect(changes(text, after)).toEqual([
      ['api/minute', 'limit 600 → never', 'counts kept; at once'],
      ['api/hour', 'window 1h → 2h', 'new counts; the old ones expire'],
      ['api/hour', 'enforce default → 50%', 'counts kept; at once'],
    ]);
  });

  it('tells limits by plan in words', () => {
    expect(changes(text, text.replace('null', '7'))).toEqual([
      ['api/hour', 'limit free 100, otherwise not applied → free 100, otherwise 7', 'counts kept; at once'],
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
    ]);
    expect(changes(undefined, text)).toHaveLength(2);
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

    expect(changes(text, text + override)).toEqual([['overrides', '1 new, 0 gone', 'counts kept; at once']]);
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
