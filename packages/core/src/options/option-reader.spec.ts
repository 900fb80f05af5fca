import { configError } from '../../../../test/support/config-error.js';
import { OptionReader, readOptions } from './option-reader.js';
import { FLAG, FUNCTION, type OptionRows, type CombinationRule, WINDOW_ROW } from './option-row.js';
import { show } from './show.js';

const LIMIT = { code: 'LIMIT_INVALID', integer: [1, Number.MAX_SAFE_INTEGER], required: true } as const;

describe('OptionReader', () => {
  it('names the owner, the option, the rule and the value', () => {
    const options = new OptionReader('tier "login"', { limit: 0 }, ['limit']);

    const error = configError('LIMIT_INVALID', 'limit', 'tier "login": limit must be an integer of at least 1, got 0');
    expect(() => options.one('limit', LIMIT)).toThrow(error);
    expect(() => options.one('limit', LIMIT)).toThrow(expect.objectContaining({ value: 0 }));
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
    expect(options.one('limit', { ...LIMIT, otherwise: 7 })).toBe(7);
  });

  it('names an option inside another one with its path', () => {
    const options = new OptionReader('tier', { windows: [{ limit: 5 }, { limt: 5 }, 'none'] }, ['windows']);

    expect(options.inside('windows', 0, { limit: LIMIT }).read({ limit: LIMIT })).toEqual({ limit: 5 });
    expect(() => options.inside('windows', 1, { limit: LIMIT })).toThrow(
      configError('OPTION_UNKNOWN', 'windows[1].limt'),
    );
    expect(() => options.inside('windows', 2, { limit: LIMIT })).toThrow(
      expect.objectContaining({ code: 'OPTION_UNKNOWN' }),
    );
  });

  it.each(['5', '-1', ' 1e3 '])('says that the text %j must be a number', (burst) => {
    const read = () => new OptionReader('tier', { burst }, ['burst']).one('burst', { ...LIMIT, code: 'BURST_INVALID' });

    const rule = 'must be a number, not text: write Number(process.env.NAME) for a variable';
    expect(read).toThrow(configError('BURST_INVALID', 'burst', `tier: burst ${rule}, got ${show(burst)}`));
  });

  it('says that a required option is missing', () => {
    const options = new OptionReader('tier', {}, ['limit', 'window']);

    const limit = 'tier: limit is missing: it must be an integer of at least 1';
    expect(() => options.one('limit', LIMIT)).toThrow(configError('LIMIT_INVALID', 'limit', limit));
    const window = "tier: window is missing: it must be a duration, such as '1m'";
    expect(() => options.one('window', WINDOW_ROW)).toThrow(configError('WINDOW_INVALID', 'window', window));
  });

  it.each([[''], ['five'], [1.5], [Infinity], [-1], [11], [2 ** 53], [true], [null], [[5]]])(
    'rejects %p as an integer from 0 to 10',
    (value) => {
      const options = new OptionReader('tier', { burst: value }, ['burst']);

      const message = `tier: burst must be an integer from 0 to 10, got ${show(value)}`;
      const read = () => options.one('burst', { code: 'BURST_INVALID', integer: [0, 10] });
      expect(read).toThrow(configError('BURST_INVALID', 'burst', message));
    },
  );

  it.each([
    [1, 1_000],
    ['400d', 400 * 8.64e10],
    ['1m', 6e7],
  ])('reads the duration %p', (window, microseconds) => {
    expect(new OptionReader('tier', { window }, ['window']).one('window', WINDOW_ROW)).toBe(microseconds);
  });

  it.each([[undefined], [null], [0], [0.999], ['0.999ms'], ['400.1d'], ['57.2w'], ['1 minute'], [-5]])(
    'rejects the duration %p',
    (window) => {
      const options = new OptionReader('tier', { window }, ['window']);

      expect(() => options.one('window', WINDOW_ROW)).toThrow(configError('WINDOW_INVALID', 'window'));
    },
  );

  it('reads flags, which are false by default', () => {
    const options = new OptionReader('tier', { strict: true, other: 'yes' }, ['strict', 'other', 'charge']);

    expect([options.one('strict', FLAG), options.one('charge', FLAG)]).toEqual([true, false]);
    expect(() => options.one('other', FLAG)).toThrow('tier: other must be one of true, false, got "yes"');
  });

  it('reads choices', () => {
    const options = new OptionReader('tier', { mode: 'shadow', anchor: 'noon' }, ['mode', 'anchor']);

    expect(options.one('mode', { oneOf: ['enforce', 'shadow'], otherwise: 'enforce' })).toBe('shadow');
    const message = 'tier: anchor must be one of "first", "clock", got "noon"';
    const read = () => options.one('anchor', { oneOf: ['first', 'clock'], otherwise: 'first' });
    expect(read).toThrow(configError('OPTION_INVALID', 'anchor', message));
  });

  it.each([
    ['fixed', 'fixed-window'],
    ['Sliding', 'sliding-window'],
    ['FIXED_WINDOW', 'fixed-window'],
    ['slidingWindow', 'sliding-window'],
  ])('suggests a choice that begins like %s', (algorithm, meant) => {
    const options = new OptionReader('tier', { algorithm }, ['algorithm']);

    const read = () =>
      options.one('algorithm', { oneOf: ['fixed-window', 'sliding-window', 'sliding-window-log'], otherwise: 'none' });
    expect(read).toThrow(`(did you mean "${meant}"?), got "${algorithm}"`);
  });

  it.each([
    ['open', 'allow'],
    ['fail-closed', 'deny'],
  ])('suggests a choice for %s of other libraries', (given, meant) => {
    const options = new OptionReader('tier', { onStoreFailure: given }, ['onStoreFailure']);

    const read = () => options.one('onStoreFailure', { oneOf: ['local', 'allow', 'deny'], otherwise: 'local' });
    expect(read).toThrow(`must be one of "local", "allow", "deny" (did you mean "${meant}"?), got "${given}"`);
  });

  it('suggests no choice for short text', () => {
    const options = new OptionReader('tier', { mode: 'fi' }, ['mode']);

    expect(() => options.one('mode', { oneOf: ['fixed-window'], otherwise: 'none' })).toThrow(
      'one of "fixed-window", got "fi"',
    );
  });

  it('reads functions, which are optional', () => {
    const options = new OptionReader('rateLimit', { skip: Math.random, body: 5, cost: null }, ['skip', 'body', 'cost']);

    expect(options.one('skip', FUNCTION)).toBe(Math.random);
    expect(options.one('other', FUNCTION)).toBeUndefined();
    const error = configError('OPTION_INVALID', 'body', 'rateLimit: body must be a function, got 5');
    expect(() => options.one('body', FUNCTION)).toThrow(error);
    expect(() => options.one('cost', FUNCTION)).toThrow('rateLimit: cost must be a function, got null');
  });

  it.each([
    [NaN, 'must be an integer from 0 to 10: the variable that it is read from is not set, or is no number, got NaN'],
    [5n, 'must be a number, not a bigint: write Number(…), got the bigint 5n'],
  ])('says what to write in place of the number %p', (burst, message) => {
    const read = () => new OptionReader('tier', { burst }, ['burst']).one('burst', { integer: [0, 10] });

    expect(read).toThrow(`tier: burst ${message}`);
  });

  it('says what to write in place of a value that means something else elsewhere', () => {
    const row = { ...LIMIT, instead: { null: 'must be a number: for no limit, leave it out' } };
    const read = (limit: unknown) => () => new OptionReader('tier', { limit }, ['limit']).one('limit', row);

    expect(read(null)).toThrow('tier: limit must be a number: for no limit, leave it out, got null');
    expect(read('constructor')).toThrow('tier: limit must be an integer of at least 1, got "constructor"');
  });

  it('takes the rule that a check returns', () => {
    const row = { is: (url: unknown) => url !== 'http' || 'must not be http', words: 'a URL' } as const;
    const read = (url: unknown) => new OptionReader('store', { url }, ['url']).one('url', row);

    expect(() => read('http')).toThrow('store: url must not be http, got "http"');
    expect(read('redis')).toBe('redis');
  });

  it('accepts a function of the subject where a row says so', () => {
    const row = { ...LIMIT, orFunction: true } as const;

    expect(new OptionReader('tier', { limit: Math.random }, ['limit']).one('limit', row)).toBe(Math.random);
  });
});

describe('readOptions', () => {
  const rows = { first: FUNCTION, second: FLAG, third: { oneOf: [1, 2] } } as const satisfies OptionRows;
  const combinations: readonly CombinationRule[] = [
    { option: 'first', beside: 'second', rule: 'must stand without second' },
    { option: 'third', without: 'first', rule: 'needs first' },
  ];
  const read = (given: object) => readOptions('owner', given, rows, combinations);

  it('reads all options by their rows', () => {
    expect(read({ first: Math.random, third: 2 })).toEqual({ first: Math.random, second: false, third: 2 });
  });

  it('rejects an option beside another one, unless that has the value that it has when it is left out', () => {
    expect(() => read({ first: Math.random, second: true })).toThrow('owner: first must stand without second, got the');
    expect(read({ first: Math.random, second: false })).toMatchObject({ second: false });
  });

  it('rejects an option without the one that it needs', () => {
    expect(() => read({ third: 1 })).toThrow(configError('OPTION_INVALID', 'third', 'owner: third needs first, got 1'));
  });

  it.each([[undefined], [null], ['text'], [[1]]])('rejects %p in place of options', (given) => {
    const error = configError('OPTION_INVALID', 'options', `owner: options must be an object, got ${show(given)}`);
    expect(() => read(given as unknown as object)).toThrow(error);
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
    [5n, 'the bigint 5n'],
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
