import { configError } from '../../../../test/support/config-error.js';
import { OptionReader, show } from './option-reader.js';

describe('OptionReader', () => {
  it('names the owner, the option, the rule and the value', () => {
    const options = new OptionReader('tier "login"', { limit: 0 }, ['limit']);

    const error = configError('LIMIT_INVALID', 'limit', 'tier "login": limit must be an integer of at least 1, got 0');
    expect(() => options.integer('LIMIT_INVALID', 'limit')).toThrow(error);
    expect(() => options.integer('LIMIT_INVALID', 'limit')).toThrow(expect.objectContaining({ value: 0 }));
  });

  it.each([
    ['limt', 'did you mean limit?'],
    ['Limit', 'did you mean limit?'],
    ['widnow', 'did you mean window?'],
    ['precison', 'did you mean precision?'],
    ['LIMIT', 'did you mean limit?'],
    ['prec', 'did you mean precision?'],
    ['colour', 'known are limit, window, precision'],
    ['burst', 'known are limit, window, precision'],
  ])('rejects the unknown option %s: %s', (name, hint) => {
    const make = () => new OptionReader('tier', { [name]: 5 }, ['limit', 'window', 'precision']);

    const message = `tier: ${name} is not an option here: ${hint}`;
    expect(make).toThrow(configError('OPTION_UNKNOWN', name, message));
  });

  it.each([
    ['max', 'tier: max is called limit here'],
    ['colour', 'tier: colour is not an option here'],
  ])('lists no names for the unknown option %s among many', (name, message) => {
    const known = ['limit', ...Array.from({ length: 8 }, (_, index) => `option ${index}`)];

    expect(() => new OptionReader('tier', { [name]: 5 }, known)).toThrow(new RegExp(`^${message}$`));
  });

  it('ignores an unknown option that is undefined', () => {
    const options = new OptionReader('tier', { other: undefined, limit: undefined }, ['limit']);

    expect(options.has('limit')).toBe(false);
    expect(options.integer('LIMIT_INVALID', 'limit', { otherwise: 7 })).toBe(7);
  });

  it('names an option inside another one with its path', () => {
    const options = new OptionReader('tier', { windows: [{ limit: 5 }, { limt: 5 }, 'none'] }, ['windows']);

    expect(options.inside('windows', 0, ['limit']).integer('LIMIT_INVALID', 'limit')).toBe(5);
    expect(() => options.inside('windows', 1, ['limit'])).toThrow(configError('OPTION_UNKNOWN', 'windows[1].limt'));
    expect(() => options.inside('windows', 2, ['limit'])).toThrow(expect.objectContaining({ code: 'OPTION_UNKNOWN' }));
  });

  it.each(['5', '-1', ' 1e3 '])('says that the text %j must be a number', (burst) => {
    const read = () => new OptionReader('tier', { burst }, ['burst']).integer('BURST_INVALID', 'burst');

    const rule = 'must be a number, not text: write Number(process.env.NAME) for a variable';
    expect(read).toThrow(configError('BURST_INVALID', 'burst', `tier: burst ${rule}, got ${show(burst)}`));
  });

  it('says that a required option is missing', () => {
    const options = new OptionReader('tier', {}, ['limit', 'window']);

    const limit = 'tier: limit is missing: it must be an integer of at least 1';
    expect(() => options.integer('LIMIT_INVALID', 'limit')).toThrow(configError('LIMIT_INVALID', 'limit', limit));
    const window = "tier: window is missing: it must be a duration, such as '1m'";
    expect(() => options.duration('window')).toThrow(configError('WINDOW_INVALID', 'window', window));
  });

  it.each([[''], ['five'], [1.5], [NaN], [Infinity], [-1], [11], [2 ** 53], [5n], [true], [null], [[5]]])(
    'rejects %p as an integer from 0 to 10',
    (value) => {
      const options = new OptionReader('tier', { burst: value }, ['burst']);

      const message = `tier: burst must be an integer from 0 to 10, got ${show(value)}`;
      const read = () => options.integer('BURST_INVALID', 'burst', { min: 0, max: 10 });
      expect(read).toThrow(configError('BURST_INVALID', 'burst', message));
    },
  );

  it.each([
    [1, 1_000],
    ['400d', 400 * 8.64e10],
    ['1m', 6e7],
  ])('reads the duration %p', (window, microseconds) => {
    expect(new OptionReader('tier', { window }, ['window']).duration('window')).toBe(microseconds);
  });

  it.each([[undefined], [null], [0], [0.999], ['0.999ms'], ['400.1d'], ['57.2w'], ['1 minute'], [-5]])(
    'rejects the duration %p',
    (window) => {
      const options = new OptionReader('tier', { window }, ['window']);

      expect(() => options.duration('window')).toThrow(configError('WINDOW_INVALID', 'window'));
    },
  );

  it('reads flags, which are false by default', () => {
    const options = new OptionReader('tier', { strict: true, other: 'yes' }, ['strict', 'other', 'charge']);

    expect([options.flag('strict'), options.flag('charge')]).toEqual([true, false]);
    expect(() => options.flag('other')).toThrow('tier: other must be one of true, false, got "yes"');
  });

  it('reads choices', () => {
    const options = new OptionReader('tier', { mode: 'shadow', anchor: 'noon' }, ['mode', 'anchor']);

    expect(options.choice('mode', ['enforce', 'shadow'], 'enforce')).toBe('shadow');
    const message = 'tier: anchor must be one of "first", "clock", got "noon"';
    const read = () => options.choice('anchor', ['first', 'clock'], 'first');
    expect(read).toThrow(configError('OPTION_INVALID', 'anchor', message));
  });

  it.each([
    ['fixed', 'fixed-window'],
    ['Sliding', 'sliding-window'],
    ['FIXED_WINDOW', 'fixed-window'],
    ['slidingWindow', 'sliding-window'],
  ])('suggests a choice that begins like %s', (algorithm, meant) => {
    const options = new OptionReader('tier', { algorithm }, ['algorithm']);

    const read = () => options.choice('algorithm', ['fixed-window', 'sliding-window', 'sliding-window-log'], 'none');
    expect(read).toThrow(`(did you mean "${meant}"?), got "${algorithm}"`);
  });

  it.each([
    ['open', 'allow'],
    ['fail-closed', 'deny'],
  ])('suggests a choice for %s of other libraries', (given, meant) => {
    const options = new OptionReader('tier', { onStoreFailure: given }, ['onStoreFailure']);

    const read = () => options.choice('onStoreFailure', ['local', 'allow', 'deny'], 'local');
    expect(read).toThrow(`must be one of "local", "allow", "deny" (did you mean "${meant}"?), got "${given}"`);
  });

  it('suggests no choice for short text', () => {
    const options = new OptionReader('tier', { mode: 'fi' }, ['mode']);

    expect(() => options.choice('mode', ['fixed-window'], 'none')).toThrow('one of "fixed-window", got "fi"');
  });

  it('reads functions, which are optional', () => {
    const options = new OptionReader('rateLimit', { skip: Math.random, body: 5, cost: null }, ['skip', 'body', 'cost']);

    expect(options.function('skip', Math.random)).toBe(Math.random);
    expect(options.function('other', undefined)).toBeUndefined();
    const error = configError('OPTION_INVALID', 'body', 'rateLimit: body must be a function, got 5');
    expect(() => options.function('body', 5)).toThrow(error);
    expect(() => options.function('cost', null)).toThrow('rateLimit: cost must be a function, got null');
  });

  it('holds the cause of an error', () => {
    const cause = new Error('below');
    const options = new OptionReader('tier', { key: 5 }, ['key']);

    expect(options.fail('KEY_INVALID', 'key', 'must work', cause).cause).toBe(cause);
    expect(options.fail('KEY_INVALID', 'key', 'must work')).not.toHaveProperty('cause');
  });
});

describe('show', () => {
  it.each<[unknown, string]>([
    ['text', '"text"'],
    ['a "quote"\n', '"a \\"quote\\"\\n"'],
    ['x'.repeat(61), `"${'x'.repeat(60)}…"`],
    [undefined, 'undefined'],
    [null, 'null'],
    [1.5, '1.5'],
    [5n, '5'],
    [Symbol('key'), 'Symbol(key)'],
    [[1, 2], 'an array of 2'],
    [{ toString: () => 'surprise' }, 'an object'],
    [Object.create(null), 'an object'],
    [function named() {}, 'the function named'],
    [() => {}, 'the function (anonymous)'],
  ])('shows %p as %s', (value, text) => {
    expect(show(value)).toBe(text);
  });
});
